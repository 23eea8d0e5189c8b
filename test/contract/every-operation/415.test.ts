import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { operations } from '../../../src/contract/service/operations.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { expectProblem, textOf, withBody } from '../../support/requests/every-operation.ts';
import { inOrder } from '../../support/in-order.ts';
import { unknownSubjects, validRequest } from '../../support/requests/valid-requests.ts';

onEveryTransport('every operation with a body accepts only JSON', (transport) => {
  const otherTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'json',
    'text/json; application/json',
  ];

  it.each(withBody)('415 %s: refuses a body of another type', async (name) => {
    const shop = transport.shop();
    const request = validRequest(name, unknownSubjects);
    await inOrder(otherTypes, async (type) => {
      const reply = await shop.send(name, { ...request, headers: { 'Content-Type': type } });
      expectProblem(reply, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  it.each(withBody)('415 %s: refuses a body without a type', async (name) => {
    const { body, path = '' } = validRequest(name, unknownSubjects);
    const shop = transport.shop();
    const response = await transport.fetch(transport.base + path, {
      method: operations[name].method.toUpperCase(),
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
      // Bytes, because fetch gives a text a type of its own.
      body: new TextEncoder().encode(textOf(body)),
    });
    expect(response.status).toBe(415);
  });

  it.each(withBody)('415 %s: refuses a body with a Content-Encoding', async (name) => {
    const shop = transport.shop();
    const { body, ...request } = validRequest(name, unknownSubjects);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const reply = await shop.send(name, { ...request, body: gzipSync(textOf(body)), headers });
    expectProblem(reply, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(reply.body).toMatchObject({
      message: 'Send the body uncompressed, without Content-Encoding',
    });
    const plain = { ...headers, 'Content-Encoding': ' Identity' };
    expect([201, 404]).toContain(
      (await shop.send(name, { ...request, body, headers: plain })).status,
    );
  });

  it.each(withBody)('%s accepts parameters and any case in the content type', async (name) => {
    const shop = transport.shop();
    const request = validRequest(name, unknownSubjects);
    const types = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;'];
    await inOrder(types, async (type) => {
      const reply = await shop.send(name, { ...request, headers: { 'Content-Type': type } });
      expect([201, 404]).toContain(reply.status);
    });
  });
});
