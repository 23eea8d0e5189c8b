/** Both OpenAPI documents, as a sandbox serves them. */
import { z } from 'zod';
import { createSandbox, type SandboxOptions } from '../../../src/index.ts';

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        schema: z.looseObject({ example: z.unknown().optional() }),
      }),
    )
    .default([]),
  requestBody: z
    .looseObject({
      required: z.boolean(),
      content: z.record(z.string(), z.looseObject({ schema: z.looseObject({ $ref: z.string() }) })),
    })
    .optional(),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string(),
      content: z
        .record(
          z.string(),
          z.looseObject({ example: z.looseObject({ name: z.string().optional() }).optional() }),
        )
        .optional(),
    }),
  ),
});

const Document = z.looseObject({
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })),
  }),
});

export type Document = z.output<typeof Document>;

export interface Declared {
  readonly method: string;
  readonly path: string;
  readonly operation: z.output<typeof Operation>;
}

/** A document as it was sent, and read. */
export interface Served {
  readonly text: string;
  readonly document: Document;
}

/** Asks a new sandbox for its documents. */
export async function documentsOf(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const read = async (path: string): Promise<Served> => {
    const text = await (await sandbox.request(path)).text();
    return { text, document: Document.parse(JSON.parse(text)) };
  };
  return { service: await read('/openapi.json'), control: await read('/_sandbox/openapi.json') };
}

/** Every operation of a document. */
export function operationsIn(document: Document): Declared[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}
