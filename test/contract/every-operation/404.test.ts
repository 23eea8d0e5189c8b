import { expect, it } from 'vitest';
import { operations } from '../../../src/contract/service/operations.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { aboutRecord, expectProblem } from '../../support/requests/every-operation.ts';
import { inOrder } from '../../support/in-order.ts';
import {
  makeSubjects,
  unknownSubjects,
  validRequest,
} from '../../support/requests/valid-requests.ts';

onEveryTransport('every operation finds only records of its merchant', (transport) => {
  it.each([...aboutRecord, 'payment.create' as const])(
    '404 %s: refuses an unknown id',
    async (name) => {
      const reply = await transport.shop().send(name, validRequest(name, unknownSubjects));
      expectProblem(reply, 404, 'INVALID_RESOURCE_ID');
    },
  );

  it.each([...aboutRecord, 'payment.create' as const])(
    "404 %s: answers another merchant's id like an unknown one",
    async (name) => {
      const subjects = await makeSubjects(transport.shop());
      const request = validRequest(name, subjects);
      const reply = await transport.shop().send(name, request);
      expectProblem(reply, 404, 'INVALID_RESOURCE_ID');
      const unknown = await transport.shop().send(name, validRequest(name, unknownSubjects));
      const named = (text: string) => text.replaceAll(/"debug_id":"\w+"/g, '');
      expect(named(reply.text)).toBe(named(unknown.text));
    },
  );

  it.each(aboutRecord)('404 %s: refuses an id of the wrong form', async (name) => {
    const shop = transport.shop();
    const strange = { ...validRequest(name, unknownSubjects), path: operations[name].path };
    await inOrder(['0', 'null', '%zz', 'CARD-/1', '__proto__', 'x'.repeat(2000)], async (id) => {
      const params = Object.fromEntries(
        [...operations[name].path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, id]),
      );
      expectProblem(await shop.send(name, { ...strange, params }), 404, 'INVALID_RESOURCE_ID');
    });
  });
});
