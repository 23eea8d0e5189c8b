/** Runs tasks in another process and returns their results. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Tasks = Readonly<Record<string, (argument: number) => Promise<unknown>>>;

interface Asked {
  readonly task: string;
  readonly argument: number;
}

type Answered = { readonly value: unknown } | { readonly failure: string };

/** A worker that runs one task at a time. */
export interface Worker {
  /** `Answer` is the result type of the task, which only the file of the worker knows. */
  run<Answer>(task: string, argument?: number): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts the worker file of this name, with these environment variables in addition to our own. */
export function startWorker(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Worker {
  const child = fork(join(import.meta.dirname, `${name}.mjs`), [...args], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
  });
  const gone = once(child, 'exit');
  return {
    run: async <Answer>(task: string, argument = 0) => {
      child.send({ task, argument } satisfies Asked);
      const [answered] = (await Promise.race([once(child, 'message'), gone])) as [Answered];
      if (typeof answered !== 'object') throw new Error(`The worker ${name} ended in ${task}.`);
      if ('failure' in answered) throw new Error(`${name} ${task}: ${answered.failure}`);
      return answered.value as Answer;
    },
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}

/** Runs the tasks of a worker on request. */
export function serveTasks(tasks: Tasks): void {
  process.on('message', ({ task, argument }: Asked) => {
    const run = tasks[task];
    void (run === undefined ? Promise.reject(new Error('no such task')) : run(argument)).then(
      (value) => process.send?.({ value } satisfies Answered),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Answered),
    );
  });
}

/** Collects garbage, so that the next measurement counts only live objects. */
export function collect(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}
