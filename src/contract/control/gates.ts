/** Schemas of the verbs that hold requests and release them. */
import { z } from '@hono/zod-openapi';
import { gatePoints } from '../constants.ts';
import { answer } from '../service/declare.ts';
import { maybeText } from '../service/fields.ts';
import { operationNames } from '../service/operations.ts';
import { verbSchemas } from './declare.ts';
import { gateInputs } from './inputs.ts';
import { WaitTimeout } from './journal.ts';

/** The verb checks the keys and values, and names every problem. */
export const HoldRequest = z.record(z.string(), z.unknown()).openapi('HoldRequest', {
  example: { op: 'payment.create', count: 2, at: 'before-commit' },
});

export const HeldRequest = z
  .object({
    gate: z.string().openapi({ description: 'Name of the gate', example: 'gate-1' }),
    at: z.enum(gatePoints),
    arrived: z.int().openapi({ description: 'Its position in the order of arrival at the gate' }),
    debugId: z.string(),
    operation: z.enum(operationNames),
    requestId: maybeText.openapi({
      description:
        'Its PayPal-Request-Id. A card number in it is masked: release such a request by its debug id',
    }),
    intent: maybeText.openapi({ description: 'Key of its purchase, as in the journal' }),
    purchase: maybeText.openapi({
      description: 'Invoice number, `custom` or description of its purchase',
      example: 'INV-7',
    }),
    clientLeft: z.boolean().openapi({
      description: 'The client left while it waited; the request is executed nevertheless',
    }),
  })
  .openapi('HeldRequest');

const held = z.array(HeldRequest).readonly();

const inputs = gateInputs();

export const gateSchemas = verbSchemas({
  hold: {
    summary: 'Hold the next requests at a gate, until they are released',
    description:
      'Has the keys of `hold` in a scenario file. A gate that does not fill in time releases what it holds, and a verdict says how many requests came.',
    tag: 'Gates',
    body: HoldRequest,
    status: 201,
    output: z.string().openapi({ example: 'gate-1' }),
    answer: 'Name of the gate',
  },
  held: {
    summary: 'List the requests that are held, in order of arrival',
    tag: 'Gates',
    output: held,
    answer: 'The held requests',
  },
  waitForHeld: {
    summary: 'Wait until gates hold requests',
    description:
      'Answers as soon as there are enough. The wait ends early if the gates can no longer hold so many, the client leaves, the merchant is reset or the sandbox closes.',
    tag: 'Gates',
    body: inputs.wait,
    output: held,
    answer: 'The held requests',
    answers: { 408: answer('`wait-timeout`: fewer requests were held in time', WaitTimeout) },
    errors: [409],
  },
  release: {
    summary: 'Release held requests, one after the other',
    description:
      'Each request continues as far as it can before the next one is released. Without a list, all are released, and gates that were not full end.',
    tag: 'Gates',
    body: inputs.release,
    output: held,
    answer: 'The released requests in that order',
  },
});
