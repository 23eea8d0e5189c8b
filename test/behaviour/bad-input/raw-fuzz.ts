/**
 * Sends random bytes that resemble requests, by a seed. As a tool, with the number of requests:
 * `node .ci/fuzz.mjs --count 50000 --seed 1`.
 */
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

export interface FuzzOptions {
  readonly base: string;
  readonly count: number;
  readonly seed: number;
}

export interface FuzzResult {
  /** Requests after which the connection stayed open without an answer. */
  readonly unanswered: readonly string[];
  readonly goodRequests: number;
  readonly goodAnswers: number;
  /** How often each status was answered; 0 for a close without an answer. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** Requests that are sent at the same time, each on a connection of its own. */
const atOnce = 10;

/** Requests after which a good one checks that the sandbox still answers. */
const checkEvery = 5 * atOnce;

/** Sends random requests, some at the same time. */
export async function fuzz({ base, count, seed }: FuzzOptions): Promise<FuzzResult> {
  const { hostname, port } = new URL(base);
  const draw = createDraw(seed);
  const unanswered: string[] = [];
  const statuses: Record<number, number> = {};
  let goodRequests = 0;
  let goodAnswers = 0;
  for (let at = 0; at < count; at += atOnce) {
    const requests = Array.from({ length: Math.min(atOnce, count - at) }, () =>
      randomRequest(draw),
    );
    await Promise.all(
      requests.map(async (bytes) => {
        const status = await send(hostname, Number(port), bytes);
        if (status === undefined) unanswered.push(bytes);
        else statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
    if (at % checkEvery !== 0) continue;
    goodRequests++;
    const good = await send(hostname, Number(port), 'GET /_sandbox/health HTTP/1.0\r\n\r\n');
    if (good === 200) goodAnswers++;
  }
  return { unanswered, goodRequests, goodAnswers, statuses };
}

type Draw = (choices: number) => number;

function createDraw(seed: number): Draw {
  let state = (seed >>> 0) + 1;
  return (choices) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * choices);
  };
}

const lines = [
  'GET / HTTP/1.1',
  'POST /v1/vault/credit-cards HTTP/1.1',
  'GET /v1/vault/credit-cards?x=4417119669820331 HTTP/1.1',
  'DELETE http://u:hunter2@h/_sandbox/rules HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT u:hunter2@h:443 HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET /docs HTTP/1.0',
  'GET //u:hunter2@h/../%00 HTTP/1.1',
  'HEAD /v1/4417119669820331 HTTP/1.1',
  'TRACE /_sandbox/journal HTTP/1.1',
  'GET /\\v1 HTTP/1.1',
  'GET /v1',
  '\u0016\u0003\u0001\u0000\u00a5',
  '\u0005\u0001\u0000',
] as const;

const headers = [
  'Host: a',
  'Host: localhost:',
  'Host: [::1%25x]:1',
  'Host: u:hunter2@h',
  'Host: \u00e9',
  'Content-Length: 5',
  'Content-Length: 6',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: gzip',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Authorization: Bearer sandbox.fuzz',
  'Content-Type: application/json',
  'X-Card: 4417119669820331',
  'Sandbox-Outcome: not-there',
  'no colon',
  ' folded: line',
  'a b: c',
] as const;

const bodies = [
  '',
  'hello',
  '{"number":"4417119669820331"}',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
] as const;

function randomRequest(draw: Draw): string {
  const one = <T>(list: readonly T[]): T | undefined => list[draw(list.length)];
  const chosen = Array.from({ length: draw(7) }, () => one(headers) ?? '');
  const lineEnd = draw(20) === 0 ? '\n' : '\r\n';
  const text = [one(lines), ...chosen, '', one(bodies)].join(lineEnd);
  if (draw(4) !== 0) return text;
  // One byte is changed, removed or repeated.
  const at = draw(text.length);
  const middle = [String.fromCharCode(draw(256)), '', text.charAt(at).repeat(2)][draw(3)] ?? '';
  return text.slice(0, at) + middle + text.slice(at + 1);
}

/** How long the sandbox may take. It decides no result of a sound sandbox. */
const patienceMs = 120_000;

/** The status of the first answer; 0 if the connection closes without one; `undefined` if nothing happens. */
function send(host: string, port: number, bytes: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, host);
    const end = (status: number | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => {
      end(undefined);
    }, patienceMs);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      // An interim answer is followed by the final one, or by a close.
      if (status !== undefined) end(Number(status));
    });
    socket.on('error', () => {
      end(0);
    });
    socket.on('close', () => {
      end(0);
    });
    // The end of the bytes is the end of the request, so that an incomplete one is closed.
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '50000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { createSandbox } = await import('../../../src/index.ts');
  const reported: unknown[] = [];
  const sandbox = createSandbox({
    listeners: {
      onUnreadable: (unreadable) => reported.length < 10_000 && reported.push(unreadable),
      onControlFailure: ({ path, failure }) => {
        throw new Error(`A control call failed: ${path}`, { cause: failure });
      },
    },
  });
  const { url } = await sandbox.listen();
  const beforeBytes = process.memoryUsage().rss;
  const startMs = performance.now();
  const result = await fuzz({ base: url, count: Number(values.count), seed: Number(values.seed) });
  const leaked = /4417119669820331|hunter2/.test(
    JSON.stringify([reported, sandbox.merchant('fuzz').journal()]),
  );
  const report = {
    ...result,
    reported: reported.length,
    leaked,
    grownMiB: Math.round((process.memoryUsage().rss - beforeBytes) / 1_048_576),
    seconds: Math.round((performance.now() - startMs) / 1000),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  await sandbox.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
