/** The same by `wrk`, which reads what to send from a script. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connections, type Burst, type BurstResult } from './burst.ts';
import { bearer } from './traffic.ts';

const run = promisify(execFile);

/** On a machine that others use as well, an answer may be long in coming without being lost. */
const patience = '10s';

/** Sends a burst with one thread; `wrk` counts in whole seconds. */
export async function wrkBurst(burst: Burst): Promise<BurstResult> {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-bench-'));
  try {
    const script = join(folder, 'burst.lua');
    writeFileSync(script, luaOf(burst));
    const { stdout } = await run('wrk', [
      '--threads=1',
      `--connections=${connections}`,
      `--timeout=${patience}`,
      `--duration=${Math.max(1, Math.round(burst.seconds))}s`,
      `--script=${script}`,
      burst.url,
    ]);
    return readResult(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** JSON's way to quote is Lua's as well, for the ASCII texts that we send. */
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

/** Times are in microseconds there. */
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
