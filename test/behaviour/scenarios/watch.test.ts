import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { watchScenarios } from '../../../src/scenarios/watch.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function textOf(name: string, about = 'A test.'): string {
  return `scenario: ${name}\nversion: 1\nabout: ${about}\n`;
}

/** Watches a folder with one scenario. The test triggers each poll. */
function startWatching(target: 'file' | 'folder') {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  folders.push(folder);
  const file = join(folder, 'a.yaml');
  writeFileSync(file, textOf('a'));
  const events: string[] = [];
  let poll = (): void => undefined;
  let isStopped = false;
  const stop = watchScenarios({
    path: target === 'file' ? file : folder,
    onScenarios: (scenarios) =>
      events.push(scenarios.map(({ name, document }) => `${name}: ${document.about}`).join(', ')),
    onError: ({ lines }) =>
      events.push(...lines.map((line) => line.replace(folder, '').slice(0, 41))),
    every: (ms, run) => {
      expect(ms).toBe(250);
      poll = run;
      return () => (isStopped = true);
    },
  });
  return {
    folder,
    file,
    stop,
    isStopped: () => isStopped,
    /** Returns new events after two polls: one that sees a change, and one that sees no further change. */
    pollTwice: () => {
      poll();
      poll();
      return events.splice(0);
    },
    pollOnce: () => {
      poll();
      return events.splice(0);
    },
  };
}

describe.each(['file', 'folder'] as const)('watching a %s', (target) => {
  it('reports nothing while nothing changes', () => {
    expect(startWatching(target).pollTwice()).toEqual([]);
  });

  it('reports a saved file once', () => {
    const { file, pollTwice } = startWatching(target);
    writeFileSync(file, textOf('a', 'Saved.'));
    expect(pollTwice()).toEqual(['a: Saved.']);
    expect(pollTwice()).toEqual([]);
  });

  it('waits until the file no longer changes', () => {
    const { file, pollOnce } = startWatching(target);
    writeFileSync(file, textOf('a', 'Half'));
    expect(pollOnce()).toEqual([]);
    writeFileSync(file, textOf('a', 'Half of it and the rest.'));
    expect(pollOnce()).toEqual([]);
    expect(pollOnce()).toEqual(['a: Half of it and the rest.']);
  });

  it('reports each save that replaces the file', () => {
    const { file, pollTwice } = startWatching(target);
    for (const about of ['One.', 'Two.', 'Three.']) {
      writeFileSync(`${file}.tmp`, textOf('a', about));
      renameSync(`${file}.tmp`, file);
      expect(pollTwice()).toEqual([`a: ${about}`]);
    }
  });

  it('reports an older file of the same size', () => {
    const { file, pollTwice } = startWatching(target);
    writeFileSync(`${file}.old`, textOf('b'));
    utimesSync(`${file}.old`, 1, 1);
    renameSync(`${file}.old`, file);
    expect(pollTwice()).toEqual(['b: A test.']);
  });

  it('reports an invalid file, and the file once it is valid again', () => {
    const { file, pollTwice } = startWatching(target);
    writeFileSync(file, `${textOf('a')}rulles: []\n`);
    expect(pollTwice()).toEqual(['/a.yaml:4:1 rulles: this key is not known']);
    expect(pollTwice()).toEqual([]);
    writeFileSync(file, textOf('a', 'Right again.'));
    expect(pollTwice()).toEqual(['a: Right again.']);
  });

  it('reports a folder that is removed and restored', () => {
    const { folder, file, pollTwice } = startWatching(target);
    rmSync(folder, { recursive: true });
    expect(pollTwice()).toEqual([expect.stringContaining('no such file')]);
    mkdirSync(folder);
    writeFileSync(file, textOf('a', 'Back.'));
    expect(pollTwice()).toEqual(['a: Back.']);
  });

  it('stops when asked', () => {
    const { stop, isStopped } = startWatching(target);
    stop();
    expect(isStopped()).toBe(true);
  });
});

describe('watching a folder', () => {
  it('reports all scenarios when a file is added or removed', () => {
    const { folder, pollTwice } = startWatching('folder');
    writeFileSync(join(folder, 'b.yaml'), textOf('b'));
    expect(pollTwice()).toEqual(['a: A test., b: A test.']);
    rmSync(join(folder, 'a.yaml'));
    expect(pollTwice()).toEqual(['b: A test.']);
  });

  it('reports a folder without scenario files', () => {
    const { file, pollTwice } = startWatching('folder');
    rmSync(file);
    expect(pollTwice()).toEqual([expect.stringContaining('the folder contains no')]);
  });

  it('ignores files that are not scenarios', () => {
    const { folder, pollTwice } = startWatching('folder');
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeFileSync(join(folder, 'schema.json'), '{}');
    expect(pollTwice()).toEqual([]);
  });
});

it('polls by itself', async () => {
  const { file } = startWatching('file');
  const event = new Promise<string>((resolve) => {
    const stop = watchScenarios({
      path: file,
      onScenarios: ([first]) => {
        stop();
        resolve(first?.document.about ?? '');
      },
      onError: (mistake) => resolve(mistake.message),
    });
    writeFileSync(file, textOf('a', 'Seen.'));
  });
  await expect(event).resolves.toBe('Seen.');
});
