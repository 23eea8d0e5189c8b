/** Sends each request on a new connection, like a client without keep-alive. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { operations } from '../../../../src/contract/service/operations.ts';
import type { Shop } from '../../../support/transports.ts';

/** Returns the status, or the error code if the connection broke. */
export async function sendOnNewConnection(
  { transport, merchant }: Shop,
  name: OperationName,
  body?: unknown,
): Promise<number | string> {
  const { method, path } = operations[name];
  const sent = request(transport.base + path, {
    method,
    agent: false,
    headers: { Authorization: `Bearer ${merchant.token}`, 'Content-Type': 'application/json' },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.statusCode ?? 0;
  } catch (failure) {
    return String(Reflect.get(Object(failure), 'code'));
  }
}
