/** A client that sends requests together or one after the other, in this process, in another one, or from threads. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** `$card` in a path or body stands for the id of the card that the client stored last. */
export interface ClientRequest {
  readonly path: string;
  /** Absent for a read. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Each step ends before the next one begins. The requests of one step are sent together, each by its own worker. */
export type Steps = readonly (readonly ClientRequest[])[];

/** Where the client runs, and how it uses connections. */
export const clientKinds = [
  'in process',
  'fetch',
  'fetch of another process',
  'threads with a connection for each call',
  'threads with a connection for each thread',
  'threads with a shared pool',
] as const;
export type ClientKind = (typeof clientKinds)[number];

/** The clients that can run on this machine: threads need Python. */
export const availableKinds = clientKinds.filter(
  (kind) => !kind.startsWith('threads') || spawnSync('python3', ['--version']).status === 0,
);

export interface Race {
  readonly kind: ClientKind;
  /** For the client in process. */
  readonly fetch: typeof globalThis.fetch;
  /** The address for all others. */
  readonly base: string;
  readonly steps: Steps;
}

/** Sends all steps. */
export async function run({ kind, fetch, base, steps }: Race): Promise<void> {
  switch (kind) {
    case 'in process':
      return sendSteps(fetch, base, steps);
    case 'fetch':
      return sendSteps(globalThis.fetch, base, steps);
    case 'fetch of another process':
      return runProgram([process.execPath, '--input-type=module', '-e', nodeProgram], {
        base,
        steps,
      });
    case 'threads with a connection for each call':
      return runProgram(['python3', '-c', pythonProgram], { base, steps, keeps: 'none' });
    case 'threads with a connection for each thread':
      return runProgram(['python3', '-c', pythonProgram], { base, steps, keeps: 'own' });
    case 'threads with a shared pool':
      return runProgram(['python3', '-c', pythonProgram], { base, steps, keeps: 'pool' });
  }
}

async function sendSteps(send: typeof globalThis.fetch, base: string, steps: Steps): Promise<void> {
  let cardId = '';
  const fill = (words: string) => words.replaceAll('$card', cardId);
  for (const step of steps) {
    await Promise.all(
      step.map(async ({ path, body, headers }) => {
        const response = await send(base + fill(path), {
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...headers },
          ...(body !== undefined && { body: fill(JSON.stringify(body)) }),
        });
        cardId = /"id":"(CARD-[^"]+)/.exec(await response.text())?.[1] ?? cardId;
      }),
    );
  }
}

const nodeProgram = `
import { json } from 'node:stream/consumers';
const sendSteps = ${sendSteps.toString()};
const { base, steps } = await json(process.stdin);
await sendSteps(fetch, base, steps);
process.exit();
`;

const pythonProgram = String.raw`
import http.client, json, re, sys, threading
given = json.load(sys.stdin)
idle = {}
cards = ['']
def fill(text): return text.replace('$card', cards[-1])
def send(worker, request, together):
    kept = idle.setdefault(worker if given['keeps'] == 'own' else 'all', [])
    try: connection = kept.pop()
    except IndexError: connection = http.client.HTTPConnection(given['base'].split('//')[1])
    # All have a connection before any sends: on a busy machine, a thread may start after another one's answer.
    together.wait()
    body = request.get('body')
    method = 'GET' if body is None else 'POST'
    text = None if body is None else fill(json.dumps(body))
    connection.request(method, fill(request['path']), text, request['headers'])
    cards.extend(re.findall(r'"id":"(CARD-[^"]+)', connection.getresponse().read().decode()))
    if given['keeps'] == 'none': connection.close()
    else: kept.append(connection)
for step in given['steps']:
    together = threading.Barrier(len(step))
    workers = [threading.Thread(target=send, args=(*pair, together)) for pair in enumerate(step)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
`;

async function runProgram(
  [command = '', ...args]: readonly string[],
  input: unknown,
): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(JSON.stringify(input));
  const [failure] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (failure !== '') throw new Error(failure);
}
