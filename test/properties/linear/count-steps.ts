/** Counts how often blocks of code are executed, by the counters of V8. It counts no work inside a built-in function. */
import { Session } from 'node:inspector/promises';

/** Runs an action and counts the executed blocks of the sandbox and its libraries. */
export class StepCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async count(action: () => unknown): Promise<number> {
    // What ran before is not counted.
    await this.#session.post('Profiler.takePreciseCoverage');
    await action();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => isCounted(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

function isCounted(url: string): boolean {
  return !url.startsWith('node:') && !/node_modules\/(?:@?vitest|vite)\b|count-steps/.test(url);
}
