/** Runs tasks in a process of their own and gives their answers. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Tasks = Readonly<Record<string, (argument: number) => Promise<unknown>>>;

interface Asked {
  readonly task: string;
  readonly argument: number;
}

type Answered = { readonly value: unknown } | { readonly failure: string };

/** A worker that takes one task at a time. */
export interface Worker {
  /** `Answer` is what the task of this name gives: only the worker's own file knows. */
  run<Answer>(task: string, argument?: number): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts the worker of this name, which lies beside the benchmark, with these variables beside those of this process. */
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

/** What a worker does when it is asked. */
export function serveTasks(tasks: Tasks): void {
  process.on('message', ({ task, argument }: Asked) => {
    const run = tasks[task];
    void (run === undefined ? Promise.reject(new Error('no such task')) : run(argument)).then(
      (value) => process.send?.({ value } satisfies Answered),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Answered),
    );
  });
}

/** Collects garbage, so that what is measured next is what is alive. */
export function collect(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}
