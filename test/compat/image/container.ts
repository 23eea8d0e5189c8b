/** Containers of the image under test, with the engine that built it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);

const Engine = z.object({
  command: z.string(),
  args: z.array(z.string()),
  buildArgs: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  tag: z.string(),
  /** The folder of the testcontainers package; absent if it could not be installed. */
  testcontainers: z.string().optional(),
});

/** Set by `.ci/image.mjs`. */
export const engine = Engine.parse(JSON.parse(process.env['TEST_IMAGE'] ?? '{}'));
export const { tag, testcontainers } = engine;

/** Options for a container that its user does not trust. */
const locked = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const Failure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** Runs a command of the engine to its end, successful or not. */
export async function call(...args: string[]): Promise<Finished> {
  try {
    const env = { ...process.env, ...engine.env };
    const done = await run(engine.command, [...engine.args, ...args], { env, timeout: 300_000 });
    return { code: 0, ...done };
  } catch (error) {
    return Failure.parse(error);
  }
}

export async function must(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await call(...args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Runs shell lines in this folder. `docker` in them stands for the engine. */
export async function runLines(lines: string, cwd: string): Promise<Finished> {
  const words = (all: readonly string[]) => all.map((word) => `'${word}'`).join(' ');
  const start = words([engine.command, ...engine.args]);
  const script = [
    `docker() { if [ "$1" = build ]; then shift; ${start} build ${words(engine.buildArgs)} "$@"; else ${start} "$@"; fi; }`,
    lines,
  ].join('\n');
  try {
    const env = { ...process.env, ...engine.env };
    const done = await run('bash', ['--norc', '-euc', script], { cwd, env, timeout: 300_000 });
    return { code: 0, ...done };
  } catch (error) {
    return Failure.parse(error);
  }
}

/** Environment variables with which Docker clients find this engine until the test ends. */
export async function engineForPrograms(): Promise<Readonly<Record<string, string>>> {
  if (engine.command === 'docker') return engine.env;
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-engine-'));
  const address = `unix://${join(folder, 'engine')}`;
  const service = spawn(
    engine.command,
    [...engine.args, 'system', 'service', '--time=0', address],
    { env: { ...process.env, ...engine.env }, stdio: 'ignore' },
  );
  const ended = once(service, 'exit');
  onTestFinished(async () => {
    service.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!existsSync(join(folder, 'engine')) && service.exitCode === null) await sleep(20);
  return { DOCKER_HOST: address };
}

/** Runs a container until it exits. Returns its exit code and output. */
export async function runToEnd(
  options: readonly string[],
  args: readonly string[] = [],
): Promise<Finished> {
  // The output comes from the log, because the engine may print messages of its own.
  const id = await must('run', '-d', ...locked, ...options, tag, ...args);
  const code = Number(await must('wait', id));
  const { stdout, stderr } = await call('logs', id);
  await must('rm', id);
  return { code, stdout, stderr };
}

/** The output of `inspect` for the image or a container. */
export async function inspect(kind: 'image' | 'container', name: string): Promise<unknown> {
  return z.tuple([z.unknown()]).parse(JSON.parse(await must(kind, 'inspect', name)))[0];
}

/** Starts a container without waiting for it, and returns its id. The end of the test removes it. */
export async function startedAs(
  options: readonly string[],
  args: readonly string[],
): Promise<string> {
  const id = await must('run', '-d', ...locked, ...options, tag, ...args);
  onTestFinished(() => remove(id));
  return id;
}

/** Removes a container. Otherwise it would keep its port, and the next program on that port could not be reached. */
async function remove(id: string): Promise<void> {
  await call('kill', id);
  const { code } = await call('rm', '-f', id);
  // An engine may still be cleaning up the container that just ended.
  if (code !== 0) await must('rm', '-f', id);
}

/** A container that serves. The end of the test removes it. */
export class Container {
  readonly id: string;
  readonly port: number;

  private constructor(id: string, port: number) {
    this.id = id;
    this.port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts a container and waits until it is ready. */
  static async start(
    options: readonly string[] = [],
    args: readonly string[] = [],
  ): Promise<Container> {
    const id = await startedAs(['-p', '127.0.0.1::3000', ...options], args);
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(await must('port', id)) ?? [];
    const container = new Container(id, Number(port));
    await container.#untilReady();
    return container;
  }

  async #untilReady(): Promise<void> {
    for (;;) {
      const answer = await fetch(`${this.url}/_sandbox/health`).catch(() => undefined);
      if (answer?.ok === true) return;
      if ((await this.exitCode()) !== undefined) throw new Error(await this.logs());
      await sleep(50);
    }
  }

  exec(...args: string[]): Promise<Finished> {
    return call('exec', this.id, ...args);
  }

  async logs(): Promise<string> {
    const { stdout, stderr } = await call('logs', this.id);
    return stdout + stderr;
  }

  /** Sends SIGTERM, and SIGKILL ten seconds later, as `docker stop` does. Returns the exit code. */
  async stop(): Promise<number | undefined> {
    await must('stop', '-t', '10', this.id);
    return this.exitCode();
  }

  /** The exit code; `undefined` while the container runs. */
  async exitCode(): Promise<number | undefined> {
    const State = z.object({ State: z.object({ Running: z.boolean(), ExitCode: z.int() }) });
    const { Running, ExitCode } = State.parse(await inspect('container', this.id)).State;
    return Running ? undefined : ExitCode;
  }
}
