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

/** A folder with one scenario, watched by looks that the test takes. */
function watched(target: 'file' | 'folder') {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  folders.push(folder);
  const file = join(folder, 'a.yaml');
  writeFileSync(file, textOf('a'));
  const told: string[] = [];
  let look = (): void => undefined;
  let ended = false;
  const end = watchScenarios({
    path: target === 'file' ? file : folder,
    onScenarios: (scenarios) =>
      told.push(scenarios.map(({ name, document }) => `${name}: ${document.about}`).join(', ')),
    onError: ({ lines }) =>
      told.push(...lines.map((line) => line.replace(folder, '').slice(0, 41))),
    every: (ms, run) => {
      expect(ms).toBe(250);
      look = run;
      return () => (ended = true);
    },
  });
  return {
    folder,
    file,
    end,
    isEnded: () => ended,
    /** What was told since the last time, after two looks: one that sees a change and one that finds it settled. */
    heard: () => {
      look();
      look();
      return told.splice(0);
    },
    look: () => {
      look();
      return told.splice(0);
    },
  };
}

describe.each(['file', 'folder'] as const)('watching a %s', (target) => {
  it('says nothing while nothing changes', () => {
    expect(watched(target).heard()).toEqual([]);
  });

  it('tells of a save, once', () => {
    const { file, heard } = watched(target);
    writeFileSync(file, textOf('a', 'Saved.'));
    expect(heard()).toEqual(['a: Saved.']);
    expect(heard()).toEqual([]);
  });

  it('waits until nothing more changes', () => {
    const { file, look } = watched(target);
    writeFileSync(file, textOf('a', 'Half'));
    expect(look()).toEqual([]);
    writeFileSync(file, textOf('a', 'Half of it and the rest.'));
    expect(look()).toEqual([]);
    expect(look()).toEqual(['a: Half of it and the rest.']);
  });

  it('tells of a save that puts another file in its place, again and again', () => {
    const { file, heard } = watched(target);
    for (const about of ['One.', 'Two.', 'Three.']) {
      writeFileSync(`${file}.tmp`, textOf('a', about));
      renameSync(`${file}.tmp`, file);
      expect(heard()).toEqual([`a: ${about}`]);
    }
  });

  it('tells of an older file of the same size', () => {
    const { file, heard } = watched(target);
    writeFileSync(`${file}.old`, textOf('b'));
    utimesSync(`${file}.old`, 1, 1);
    renameSync(`${file}.old`, file);
    expect(heard()).toEqual(['b: A test.']);
  });

  it('tells what is wrong with a broken file, and of the file once it is right again', () => {
    const { file, heard } = watched(target);
    writeFileSync(file, `${textOf('a')}rulles: []\n`);
    expect(heard()).toEqual(['/a.yaml:4:1 rulles: this key is not known']);
    expect(heard()).toEqual([]);
    writeFileSync(file, textOf('a', 'Right again.'));
    expect(heard()).toEqual(['a: Right again.']);
  });

  it('tells of a folder that is taken away and put back', () => {
    const { folder, file, heard } = watched(target);
    rmSync(folder, { recursive: true });
    expect(heard()).toEqual([expect.stringContaining('there is no such file')]);
    mkdirSync(folder);
    writeFileSync(file, textOf('a', 'Back.'));
    expect(heard()).toEqual(['a: Back.']);
  });

  it('ends', () => {
    const { end, isEnded } = watched(target);
    end();
    expect(isEnded()).toBe(true);
  });
});

describe('watching a folder', () => {
  it('tells of all scenarios when one comes and when one goes', () => {
    const { folder, heard } = watched('folder');
    writeFileSync(join(folder, 'b.yaml'), textOf('b'));
    expect(heard()).toEqual(['a: A test., b: A test.']);
    rmSync(join(folder, 'a.yaml'));
    expect(heard()).toEqual(['b: A test.']);
  });

  it('says so when the last one is gone', () => {
    const { file, heard } = watched('folder');
    rmSync(file);
    expect(heard()).toEqual([expect.stringContaining('this folder holds no')]);
  });

  it('does not mind files that are none', () => {
    const { folder, heard } = watched('folder');
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeFileSync(join(folder, 'schema.json'), '{}');
    expect(heard()).toEqual([]);
  });
});

it('looks by itself', async () => {
  const { file } = watched('file');
  const told = new Promise<string>((resolve) => {
    const end = watchScenarios({
      path: file,
      onScenarios: ([first]) => {
        end();
        resolve(first?.document.about ?? '');
      },
      onError: (mistake) => resolve(mistake.message),
    });
    writeFileSync(file, textOf('a', 'Seen.'));
  });
  await expect(told).resolves.toBe('Seen.');
});
