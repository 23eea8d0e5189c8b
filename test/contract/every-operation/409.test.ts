import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import {
  alwaysRefused,
  expectProblem,
  withRequestId,
} from '../../support/requests/every-operation.ts';
import { Gate } from '../../support/gate.ts';
import { inOrder } from '../../support/in-order.ts';
import {
  makeSubjects,
  unknownSubjects,
  validRequest,
} from '../../support/requests/valid-requests.ts';

const gate = new Gate();

onEveryTransport(
  'every operation with a request id',
  (transport) => {
    it.each(withRequestId)(
      '409 %s: refuses a repeat while the first request is in progress',
      async (name) => {
        const shop = transport.shop();
        const subjects = await makeSubjects(shop);
        const request = {
          ...validRequest(name, subjects),
          headers: { 'PayPal-Request-Id': 'held' },
        };
        const arrived = gate.close();
        const first = shop.send(name, request);
        await arrived;
        const repeat = await shop.send(name, request);
        gate.open();
        const done = await first;
        expectProblem(repeat, 409, 'PREVIOUS_REQUEST_IN_PROGRESS');
        expect([200, 201]).toContain(done.status);

        const replayed = await shop.send(name, request);
        expect(replayed.body).toEqual(done.body);
        expect(replayed.headers.get('sandbox-replayed')).toBe('true');
        expect(done.headers.get('sandbox-replayed')).toBeNull();
      },
    );

    it.each([...withRequestId, ...alwaysRefused])(
      '400 %s: refuses an empty request id and one of more than 78 characters',
      async (name) => {
        const shop = transport.shop();
        await inOrder(['', 'x'.repeat(79)], async (id) => {
          const request = {
            ...validRequest(name, unknownSubjects),
            headers: { 'PayPal-Request-Id': id },
          };
          expectProblem(await shop.send(name, request), 400, 'PAYMENT_REQUEST_ID_INVALID');
        });
      },
    );
  },
  { hooks: { beforeCommit: gate.pass } },
);
