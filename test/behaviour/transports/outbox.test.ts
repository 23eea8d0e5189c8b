/** Answers are sent in order at the end of the event loop turn that made them, even with fake timers. */
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Outbox } from '../../../src/transports/outbox.ts';
import { createSandbox } from '../../../src/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('an outbox', () => {
  it('holds answers until the turn of the event loop ends', async () => {
    const outbox = new Outbox();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
        async (turns) => {
          const left: number[] = [];
          let put = 0;
          for (const answers of turns) {
            const before = left.length;
            for (let n = 0; n < answers; n++) {
              const answer = put++;
              outbox.put(() => left.push(answer));
            }
            expect(left).toHaveLength(before);
            await endOfTurn();
            expect(left).toEqual(Array.from({ length: put }, (_, at) => at));
          }
        },
      ),
    );
  });

  it('also sends answers that are added while it sends', async () => {
    const outbox = new Outbox();
    const left: string[] = [];
    outbox.put(() => {
      left.push('first');
      outbox.put(() => left.push('second'));
    });
    await endOfTurn();
    await endOfTurn();
    expect(left).toEqual(['first', 'second']);
  });
});

it('an outbox sends the other answers if one fails, and reports the failure', async () => {
  const failed = vi.fn<(failure: Error) => void>();
  const watching = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', failed);
  const outbox = new Outbox();
  const left: string[] = [];
  outbox.put(() => left.push('first'));
  outbox.put(() => {
    throw new Error('Not this one.');
  });
  outbox.put(() => left.push('third'));
  await endOfTurn();
  await endOfTurn();
  process.removeAllListeners('uncaughtException');
  for (const listener of watching) process.on('uncaughtException', listener);
  expect(left).toEqual(['first', 'third']);
  expect(failed.mock.calls).toMatchObject([[{ message: 'Not this one.' }, 'uncaughtException']]);
});

describe('the socket transport', () => {
  it('does not listen if the sandbox closes at the same time', async () => {
    const sandbox = createSandbox();
    const free = createSandbox();
    const { port } = await free.listen({ port: 0 });
    await free.close();
    const opening = sandbox.listen({ port });
    const closed = sandbox.close();
    await expect(opening).rejects.toMatchObject({
      name: 'ListenError',
      message: 'The sandbox is closed and cannot listen.',
    });
    await closed;
    const another = createSandbox();
    expect((await another.listen({ port })).port).toBe(port);
    await another.close();
  });

  it('does not listen after the sandbox was closed', async () => {
    const sandbox = createSandbox();
    const { port } = await sandbox.listen({ port: 0 });
    await sandbox.close();
    await expect(sandbox.listen({ port })).rejects.toMatchObject({
      name: 'ListenError',
      message: 'The sandbox is closed and cannot listen.',
    });
  });

  it('answers with fake timers', async () => {
    const sandbox = createSandbox();
    const { url } = await sandbox.listen({ port: 0 });
    const { token } = sandbox.merchant('faked');
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });
    const headers = { Authorization: `Bearer ${token}` };
    const status = await new Promise((resolve, reject) => {
      get(`${url}/v1/vault/credit-cards`, { headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    vi.useRealTimers();
    expect(status).toBe(200);
    await sandbox.close();
  });

  it('answers pipelined requests in order', async () => {
    const sandbox = createSandbox();
    const { host, port } = await sandbox.listen({ port: 0 });
    const { token } = sandbox.merchant('pipelined');
    const ids = ['CARD-FIRST', 'CARD-SECOND', 'CARD-THIRD'];
    const requests = ids.map((id, at) =>
      [
        `GET /v1/vault/credit-cards/${id} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        `Connection: ${at === ids.length - 1 ? 'close' : 'keep-alive'}`,
        '\r\n',
      ].join('\r\n'),
    );
    const socket = connect(port, host);
    socket.end(requests.join(''));
    const answers = await text(socket);
    const places = answers.match(/"debug_id":"\w+"/g)?.map((one) => one.slice(12, -1));
    const { entries: seen } = sandbox.merchant('pipelined').journal();
    expect(seen.map(({ path }) => path.split('/').at(-1))).toEqual(ids);
    expect(places).toEqual(seen.map(({ debugId }) => debugId));
    await sandbox.close();
  });
});
