/** The control calls about whole worlds: each reads its input, calls one verb and says what it answered. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { controlRoutes } from '../../contract/control/routes.ts';
import type { ExportedWorld } from '../../contract/control/worlds.ts';
import { ExportError } from '../../world/export/export-error.ts';
import { checked } from './merchant-param.ts';
import { reading } from '../errors/document-error.ts';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the calls about snapshots, export and import. */
export function bindWorlds(app: OpenAPIHono<TransportEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.snapshot, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    return c.json({ name: verbs.snapshot(merchant, c.req.valid('json').name) }, 201);
  });
  app.openapi(controlRoutes.snapshots, (c) =>
    c.json(verbs.snapshots(checked(c.req.valid('query').merchant)), 200),
  );
  app.openapi(controlRoutes.restore, (c) => {
    verbs.restore(checked(c.req.valid('query').merchant), c.req.valid('param').name);
    return c.body(null, 204);
  });
  app.openapi(controlRoutes.dropSnapshot, (c) => {
    verbs.dropSnapshot(checked(c.req.valid('query').merchant), c.req.valid('param').name);
    return c.body(null, 204);
  });
  app.openapi(controlRoutes.exportWorld, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    return c.json(exported(verbs, merchant), 200);
  });
  app.openapi(controlRoutes.importWorld, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    reading('invalid-export', () => {
      verbs.importWorld(merchant, c.req.valid('json'));
    });
    return c.body(null, 204);
  });
}

function exported(verbs: ControlVerbs, merchant: string): z.output<typeof ExportedWorld> {
  try {
    return { ...verbs.exportWorld(merchant) };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    throw new ControlRequestError('export-refused', error.message);
  }
}
