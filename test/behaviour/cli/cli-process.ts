/** The built command as its own process. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { root } from '../../support/repository/source-files.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for Node itself. */
  readonly node?: readonly string[];
}

/** A running command. It ends with the test that started it. */
export class CliProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], { env = {}, node = [] }: Start = {}) {
    // Without the environment of the test run, which may have a PORT.
    this.#child = spawn(process.execPath, [...node, join(root, 'dist', 'cli.cjs'), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.ended = once(this.#child, 'close').then(() => ({
      code: this.#child.exitCode,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** Waits for a match in the output. Fails if the command ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.#stdout);
        if (found === null) return;
        this.#child.stdout.off('data', look);
        resolve(found);
      };
      this.#child.stdout.on('data', look);
      look();
      void this.ended.then(({ stdout, stderr }) => {
        reject(new Error(`Ended without printing ${pattern}:\n${stdout}${stderr}`));
      });
    });
  }

  /** Waits for the address. */
  async url(): Promise<string> {
    const [, url = ''] = await this.printed(/(http:\/\/[^\s"]+:\d+)/);
    return url;
  }

  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<Ended> {
    this.kill('SIGTERM');
    return this.ended;
  }
}

/** Runs a command until it ends. */
export function runCli(args: readonly string[], start?: Start): Promise<Ended> {
  return new CliProcess(args, start).ended;
}
