import { expect, it } from 'vitest';
import { operations } from '../../../src/contract/service/operations.ts';
import { onEveryTransport, type TestTransport, type Shop } from '../../support/transports.ts';
import { expectProblem, textOf, withBody } from '../../support/requests/every-operation.ts';
import { unknownSubjects, validRequest } from '../../support/requests/valid-requests.ts';

const maxBodyBytes = 1500;

onEveryTransport(
  'every operation with a body limits its size',
  (transport) => {
    it.each(withBody)('413 %s: refuses a body whose Content-Length is too large', async (name) => {
      const shop = transport.shop();
      const { body, path } = validRequest(name, unknownSubjects);
      const large = textOf(body).padEnd(maxBodyBytes + 1);
      const reply = await shop.send(name, { path: path ?? '', body: large });
      expectProblem(reply, 413, 'REQUEST_BODY_TOO_LARGE');
      const largest = textOf(body).padEnd(maxBodyBytes);
      const taken = await shop.send(name, { path: path ?? '', body: largest });
      expect(taken.status).not.toBe(413);
    });

    it.each(withBody)('413 %s: refuses a chunked body that grows too large', async (name) => {
      const shop = transport.shop();
      const { body, path = '' } = validRequest(name, unknownSubjects);
      const large = textOf(body).padEnd(maxBodyBytes + 1);
      const response = await sendInChunks(transport, shop, operations[name].method, path, large);
      expect(response.status).toBe(413);
      const chunked = await sendInChunks(
        transport,
        shop,
        operations[name].method,
        path,
        textOf(body),
      );
      expect(chunked.status).not.toBe(413);
    });

    it('413 reaches the client of a far too large body, and the next request is served', async () => {
      const shop = transport.shop();
      const large = ' '.repeat(8 * 1024 * 1024);
      await shop.ask('card.create', 413, { body: large });
      const chunked = await sendInChunks(transport, shop, 'post', '/v1/vault/credit-cards', large);
      expect(chunked.status).toBe(413);
      await shop.ask('card.list', 200);
    });

    it('413 token.create: refuses a form that is too large', async () => {
      const body = `grant_type=client_credentials&x=${'x'.repeat(maxBodyBytes)}`;
      const refused = await transport.shop().ask('token.create', 413, { body });
      expect(refused.error).toBe('invalid_request');
    });
  },
  { limits: { maxBodyBytes } },
);

/** A body that does not say how long it is. */
function sendInChunks(
  transport: TestTransport,
  shop: Shop,
  method: string,
  path: string,
  text: string,
): Promise<Response> {
  const bytes = new TextEncoder().encode(text);
  const half = Math.floor(bytes.byteLength / 2);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, half));
      controller.enqueue(bytes.slice(half));
      controller.close();
    },
  });
  const init = {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
    },
    body,
    // Asked for by fetch with every streamed body.
    duplex: 'half',
  };
  return transport.fetch(transport.base + path, init);
}
