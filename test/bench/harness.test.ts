import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '../support/repository/documentation.ts';
import { readText, root } from '../support/repository/source-files.ts';
import { alone, isMet, paired } from './measure.ts';
import { partNames } from './parts.ts';
import { fromStat, readProcess, secondsOf } from './processes/process-reading.ts';
import { figuresOf, headlinesOf } from './readme-figures.ts';
import { readSettings } from './settings.ts';
import { inTurn, median, pairRatios, percentile, spreadOf } from './statistics.ts';
import { figure, tableOf } from './table.ts';

const named = { part: 'p', name: 'n', unit: 'u' };

describe('the statistics', () => {
  it('take the middle of an odd number of values, and the mean of the middle two of an even number', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 4, 2])).toBe(3);
    expect(spreadOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(() => median([])).toThrow('Nothing was measured');
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([7.5], 0.5)).toBe(7.5);
    expect(() => percentile([], 0.5)).toThrow('Nothing was measured');
  });

  it('divide each pair, not the medians', () => {
    const ratios = pairRatios([1, 20, 3], [2, 10, 6]);
    expect(ratios).toEqual([0.5, 2, 0.5]);
    expect(median(ratios)).toBe(0.5);
    expect(() => pairRatios([1], [])).toThrow('cannot be paired');
  });

  it('alternate which side goes first', () => {
    expect([0, 1, 2].map((round) => inTurn(['a', 'b'] as const, round)[0])).toEqual([
      'a',
      'b',
      'a',
    ]);
  });

  it('compare the target with the median ratio, or with our own median if there is no other side', () => {
    const ratio = paired({ ...named, target: { atLeast: 0.65 } }, [7, 6, 9], 'floor', [10, 10, 10]);
    expect(isMet(ratio)).toBe(true);
    expect(isMet({ ...ratio, target: { atLeast: 0.71 } })).toBe(false);
    expect(isMet(alone({ ...named, target: { atMost: 3 } }, [2, 4, 3]))).toBe(true);
    expect(isMet(alone({ ...named, target: { atMost: 2.9 } }, [2, 4, 3]))).toBe(false);
    expect(isMet(alone(named, [1]))).toBeUndefined();
  });

  it('show three digits, and a row for each measure', () => {
    expect([0, 0.01234, 1.239, 45.67, 12_345.6].map((value) => figure(value))).toEqual([
      '0',
      '0.0123',
      '1.24',
      '45.7',
      '12346',
    ]);
    const table = tableOf([
      paired({ ...named, target: { atLeast: 0.5 } }, [1, 3], 'floor', [2, 2]),
    ]);
    expect(table.split('\n').at(-1)).toMatch(
      /\| 1\.00 \/ 2\.00 \/ 3\.00 +\| floor: 2\.00 \/ 2\.00 \/ 2\.00 \| 0\.500 \/ 1\.00 \/ 1\.50 +\| ≥ 0\.5 met/,
    );
  });
});

describe('the figures in the README', () => {
  it('show by how little a target was missed', () => {
    const machine = { date: '2026-11-21T15:00:00.000Z', node: 'v20', cpu: '2 × C', load: 'wrk' };
    const missed = alone({ ...named, part: 'memory', target: { atMost: 2.2 } }, [1, 2.2004, 3]);
    expect(headlinesOf(machine, [missed])).toMatch(/\| 2\.2004 .+\| ≤ 2\.2 missed \|/);
    expect(tableOf([missed])).toContain('| 1.00 / 2.2004 / 3.00 |');
  });

  it('name the date, the machine and the load generator', () => {
    const machine = { date: '2026-11-21T15:00:00.000Z', node: 'v20', cpu: '2 × C', load: 'wrk' };
    const effort = { starts: 3, pairs: 5, burstSeconds: 1.5 };
    const text = figuresOf(machine, effort, [
      alone({ ...named, target: { atMost: 2 } }, [1, 3, 2]),
    ]);
    expect(text).toContain('One run on 2026-11-21: Node v20, 2 × C, load by wrk.');
    expect(text).toContain(
      'Fresh processes a side: 3, pairs of bursts in each: 5, seconds a burst: 1.5.',
    );
    expect(text).toContain('| 1.00 / 2.00 / 3.00 |');
    expect(text).toContain('≤ 2 met');
  });

  it('list the main figures and the number of targets that are met', () => {
    const machine = { date: '2026-11-21T15:00:00.000Z', node: 'v20', cpu: '2 × C', load: 'wrk' };
    const text = headlinesOf(machine, [
      paired({ ...named, part: 'pay', target: { atLeast: 0.5 } }, [1, 3], 'floor', [4, 12]),
      alone({ ...named, part: 'memory', target: { atMost: 2 } }, [1, 3, 2]),
      alone({ ...named, part: 'soak', target: { atMost: 2 } }, [1]),
      alone({ ...named, part: 'memory' }, [1]),
    ]);
    expect(text).toContain('load by wrk. Of 3 targets 2 were met.');
    expect(text.split('\n').slice(-2)).toEqual([
      expect.stringMatching(/^\| pay +\| .+ \| 0\.250 × floor +\| ≥ 0\.5 missed \|$/),
      expect.stringMatching(/^\| memory +\| .+ \| 2\.00 .+\| ≤ 2 met +\|$/),
    ]);
  });
});

describe('a reading of a process', () => {
  it('comes from the kernel, whatever the name of the command', () => {
    const fields = ['S', ...Array.from({ length: 10 }, () => 7), 150, 50, ...Array(8).fill(7), 2];
    expect(fromStat(`42 (a) b) ${fields.join(' ')} 9`)).toEqual({
      cpuSeconds: 2,
      rssBytes: 8192,
    });
  });

  it('comes from ps if there is no such file', () => {
    expect(secondsOf('1-02:03:04')).toBe(93_784);
    expect(secondsOf('0:07.25')).toBe(7.25);
  });

  it('grows with the work of this process', () => {
    const before = readProcess(process.pid);
    const used = process.cpuUsage();
    while (process.cpuUsage(used).user < 100_000) JSON.stringify(before);
    const { cpuSeconds, rssBytes } = readProcess(process.pid);
    expect(cpuSeconds - before.cpuSeconds).toBeGreaterThan(0.05);
    expect(rssBytes).toBeGreaterThan(1e7);
  });
});

describe('the command line', () => {
  it('accepts parts and counts, and refuses unknown ones', () => {
    const known = ['show', 'pay'];
    expect(readSettings([], known).parts).toEqual(known);
    expect(readSettings(['pay', '--starts', '2'], known)).toMatchObject({
      parts: ['pay'],
      starts: 2,
    });
    expect(() => readSettings(['shwo'], known)).toThrow("Unknown part 'shwo'. Parts: show, pay.");
    expect(() => readSettings(['--starts', 'x'], known)).toThrow('--starts must be a number');
  });

  it('accepts the command lines of the documentation', () => {
    const [install, ...benches] = exampleOf('bench').trimEnd().split('\n');
    expect(install).toBe('npm ci');
    const settings = benches.map((line) => {
      const [, words = ''] = /^npm run bench(?: -- (.+?))? +#/.exec(line) ?? expect.fail(line);
      return readSettings(words.split(' ').filter(Boolean), partNames);
    });
    expect(settings.map(({ parts, starts }) => [parts, starts])).toEqual([
      [partNames, 3],
      [partNames, 1],
      [['create', 'pay'], 3],
    ]);
    const after = /<!-- run: bench -->\n\n```[\s\S]+?```([\s\S]+)/;
    const [, prose = ''] = after.exec(readText('docs/performance.md')) ?? [];
    expect(prose).toContain('--json');
    for (const [flag] of prose.matchAll(/--[a-z]+/g)) readSettings([flag], partNames);
  });

  it('names every part in its help', () => {
    const run = spawnSync(process.execPath, ['.ci/bench.mjs', '--as-built', '--help'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(run.stdout).toContain(`: ${partNames.join(', ')}\n`);
  });

  it('measures the other parts if one fails, and fails at the end with the reasons', () => {
    const bench = join(root, 'node_modules', '.cache', 'card-vault-sandbox-bench', 'main.mjs');
    const run = spawnSync(
      process.execPath,
      [bench, 'show', 'journal-off', '--load', 'autocannon'],
      {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        timeout: 120_000,
      },
    );
    const why = 'dist/cli.cjs ended before it answered; is it built?';
    expect(run.stderr).toContain(`bench: show: ${why}\njournal-off: ${why}\n`);
    expect(run.status).toBe(1);
  });

  const Printed = z.object({
    measures: z.array(
      z.object({
        part: z.string(),
        unit: z.string(),
        ours: z.array(z.number().positive()).length(1),
        ratios: z.array(z.number()),
      }),
    ),
  });

  it('measures each side for a second with the generator that npm installs', () => {
    const args =
      '--as-built show --json --starts 1 --pairs 1 --seconds 1 --warm 100 --load autocannon';
    const run = spawnSync(process.execPath, ['.ci/bench.mjs', ...args.split(' ')], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('measuring show …\n');
    const { measures } = Printed.parse(JSON.parse(run.stdout));
    const [perCpu] = measures;
    expect(perCpu?.unit).toBe('requests per CPU second');
    // How large it is depends on what else the machine does.
    expect(perCpu?.ratios).toEqual([expect.any(Number)]);
    expect(perCpu?.ratios[0]).toBeGreaterThan(0);
  });
});
