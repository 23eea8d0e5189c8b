/** The client of Prometheus, loaded when the first metrics are written: a start should not wait for it. */
import { createRequire } from 'node:module';
import type * as PromClient from 'prom-client';

let client: typeof PromClient | undefined;

/** The client. Builds keep it in a file of its own. */
export function promClient(): typeof PromClient {
  client ??= createRequire(import.meta.url)('prom-client') as typeof PromClient;
  return client;
}
