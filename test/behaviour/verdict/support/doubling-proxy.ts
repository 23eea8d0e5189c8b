/** A proxy between a client and the sandbox that opens a connection for each request, and may send a request twice. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface DoublingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** @param isDoubled Whether a request is sent twice, one after the other. The client gets the first answer. */
export async function openProxy(
  target: string,
  isDoubled: (asked: IncomingMessage) => boolean,
): Promise<DoublingProxy> {
  const server: Server = createServer((asked, answer) => {
    void (async () => {
      const body = await buffer(asked);
      const first = await forward(target, asked, body);
      if (isDoubled(asked)) await forward(target, asked, body);
      answer.writeHead(first.status, { 'Content-Type': first.type }).end(first.body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a request on a connection of its own, and reads the whole answer. */
async function forward(target: string, asked: IncomingMessage, body: Buffer) {
  // The sandbox knows the requests of Node's `fetch` in its own process, and this one stands for another process.
  const { host: _host, connection: _connection, ...headers } = asked.headers;
  headers['user-agent'] = 'proxy';
  const sent = request(target + (asked.url ?? ''), {
    method: asked.method ?? 'GET',
    agent: false,
    headers,
  });
  sent.end(body);
  // `response` has one argument of this type.
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    type: answer.headers['content-type'] ?? '',
    body: await buffer(answer),
  };
}
