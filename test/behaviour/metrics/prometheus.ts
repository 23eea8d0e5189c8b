/** A Prometheus of Debian or of one's own, started for a test and asked through its API. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { z } from 'zod';

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

const Answer = z.object({ status: z.literal('success'), data: z.unknown() });

const Targets = z.object({
  activeTargets: z
    .array(z.object({ health: z.string(), lastError: z.string(), scrapeUrl: z.string() }))
    .max(1),
});

const Series = z.object({
  result: z.array(
    z.object({
      metric: z.record(z.string(), z.string()),
      value: z.tuple([z.number(), z.coerce.number()]),
    }),
  ),
});

const Metadata = z.array(z.object({ metric: z.string(), type: z.string(), help: z.string() }));

export class Prometheus {
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
  }

  /** Started with this configuration; ends with the test. */
  static async start(
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    config: string,
  ): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-prometheus-'));
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, config);
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${folder}`,
        '--web.listen-address=127.0.0.1:0',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    return new Prometheus(await addressOf(child.stderr));
  }

  /** The one target that it scrapes, once it has done so: it takes five seconds to look for targets. */
  async target(): Promise<z.output<typeof Targets>['activeTargets'][number]> {
    for (;;) {
      const { activeTargets } = Targets.parse(await this.#ask('targets'));
      const [target] = activeTargets;
      if (target !== undefined && target.health !== 'unknown') return target;
      await sleep(50);
    }
  }

  /** What it has of a metric, by the labels that tell its series apart. */
  async query(expression: string): Promise<z.output<typeof Series>['result']> {
    return Series.parse(await this.#ask('query', { query: expression })).result;
  }

  /** Each metric as the target described it. */
  async metadata(): Promise<z.output<typeof Metadata>> {
    return Metadata.parse(await this.#ask('targets/metadata'));
  }

  async #ask(path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const answer = await fetch(`${this.#base}/api/v1/${path}?${new URLSearchParams(query)}`);
    return Answer.parse(await answer.json()).data;
  }
}

/** Where it listens, by its log, which is read to its end. */
function addressOf(log: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    log.setEncoding('utf8');
    log.on('data', (text: string) => {
      said += text;
      // It may say either of them first.
      const [, address] = /msg="Listening on" address=(\S+)/.exec(said) ?? [];
      const ready = said.includes('Server is ready to receive web requests');
      if (address !== undefined && ready) resolve(`http://${address}`);
    });
    log.on('close', () => {
      reject(new Error(`Prometheus did not start:\n${said}`));
    });
  });
}
