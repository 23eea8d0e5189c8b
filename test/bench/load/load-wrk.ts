/** Sends bursts with `wrk`, which reads the requests from a script. */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { connections, turnMs, type Burst, type BurstResult, type Generator } from './burst.ts';
import { bearer } from './traffic.ts';

const run = promisify(execFile);

/** On a busy machine, an answer may be slow without being lost. */
const patience = '10s';

export const wrk: Generator = {
  name: 'wrk',
  send: (burst) => burstOf(burst),
  sendInTurns: async ([one, other]) => {
    const wrks: ChildProcess[] = [];
    const doubled = (burst: Burst) =>
      burstOf({ ...burst, seconds: 2 * burst.seconds }, (child) => wrks.push(child));
    const results = Promise.all([doubled(one), doubled(other)]);
    const over = new AbortController();
    const ended = () => {
      over.abort();
    };
    void results.then(ended, ended);
    try {
      const [oneMs = 0, otherMs = 0] = await takeTurns(wrks, over.signal);
      const [first, second] = await results;
      return [
        { ...first, seconds: oneMs / 1000 },
        { ...second, seconds: otherMs / 1000 },
      ];
    } finally {
      // If one has failed, the other may be paused and would never end.
      for (const child of wrks) child.kill('SIGKILL');
    }
  },
};

/** Runs one at a time until all have ended. Returns how long each ran. */
async function takeTurns(wrks: readonly ChildProcess[], over: AbortSignal): Promise<number[]> {
  const spentMs = wrks.map(() => 0);
  for (let turn = 0; !over.aborted; turn++) {
    const going = wrks.filter(({ exitCode }) => exitCode === null);
    const now = going[turn % going.length];
    if (now === undefined) break;
    for (const child of going) child.kill(child === now ? 'SIGCONT' : 'SIGSTOP');
    const beginMs = performance.now();
    await sleep(turnMs, undefined, { signal: over }).catch(() => undefined);
    const at = wrks.indexOf(now);
    spentMs[at] = (spentMs[at] ?? 0) + performance.now() - beginMs;
  }
  return spentMs;
}

/** Sends a burst with one thread; `wrk` counts in whole seconds. */
async function burstOf(
  burst: Burst,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<BurstResult> {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-bench-'));
  try {
    const script = join(folder, 'burst.lua');
    writeFileSync(script, luaOf(burst));
    const running = run('wrk', [
      '--threads=1',
      `--connections=${connections}`,
      `--timeout=${patience}`,
      `--duration=${Math.max(1, Math.round(burst.seconds))}s`,
      `--script=${script}`,
      burst.url,
    ]);
    onStart(running.child);
    const { stdout } = await running;
    return readResult(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For the ASCII texts that we send, Lua quotes strings as JSON does. */
function luaOf({ traffic, firstNumber, merchant }: Burst): string {
  const { method, paths, bodies } = traffic;
  const headers = Object.entries({ ...bearer(merchant), 'Content-Type': 'application/json' });
  return `
local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}
local bodies = {${bodies.map((body) => JSON.stringify(body)).join(',')}}
local headers = {${headers.map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`).join(',')}}
local n = ${firstNumber}
request = function()
  n = n + 1
  local body = bodies[n % math.max(1, #bodies) + 1]
  if body then body = body:gsub("{n}", tostring(n)) end
  return wrk.format(${JSON.stringify(method)}, paths[n % #paths + 1], headers, body)
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

/** `wrk` reports times in microseconds. */
function readResult(stdout: string): BurstResult {
  const [, requests, duration, p50, p99, errors] = /^RESULT (.+) (.+) (.+) (.+) (.+)$/m
    .exec(stdout)
    ?.map(Number) ?? [0, 0, 0, 0, 0, 1];
  if (errors !== 0 || requests === undefined || duration === undefined) {
    throw new Error(`wrk had ${errors} errors:\n${stdout}`);
  }
  return {
    requests,
    seconds: duration / 1e6,
    p50Ms: (p50 ?? 0) / 1e3,
    p99Ms: (p99 ?? 0) / 1e3,
  };
}
