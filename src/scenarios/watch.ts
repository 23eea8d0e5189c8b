/**
 * Notices when scenario files change. It looks at them every quarter of a second rather than being told: that also
 * sees folders that are swapped, files that are replaced by older ones, and folders mounted into a container.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { documentFilesIn } from '../documents/files.ts';
import { loadScenarios, type LoadedScenario } from './load.ts';
import { ScenarioError } from './scenario-error.ts';

const pollIntervalMs = 250;

/** Runs something again and again until what it returns is called. */
export type RepeatTimer = (ms: number, run: () => void) => () => void;

export interface WatchOptions {
  /** A file, or a folder of them. */
  readonly path: string;
  /** All scenarios there, each time that something changed and nothing is wrong. */
  readonly onScenarios: (scenarios: readonly LoadedScenario[]) => void;
  /** Something changed and is wrong: what was loaded before stays. */
  readonly onError: (mistake: ScenarioError) => void;
  readonly every?: RepeatTimer;
}

/** Watches a file or a folder from now on; returns what ends it. */
export function watchScenarios({
  path,
  onScenarios,
  onError,
  every = repeat,
}: WatchOptions): () => void {
  let known = readFingerprint(path);
  let seen = known;
  return every(pollIntervalMs, () => {
    const print = readFingerprint(path);
    const isSettled = print === seen;
    seen = print;
    // Half a file is not read: a change is taken up once nothing more has changed since the last look.
    if (!isSettled || print === known) return;
    known = print;
    reload(path, onScenarios, onError);
  });
}

function reload(
  path: string,
  onScenarios: WatchOptions['onScenarios'],
  onError: WatchOptions['onError'],
): void {
  let scenarios: readonly LoadedScenario[];
  try {
    scenarios = loadScenarios(path);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    onError(error);
    return;
  }
  onScenarios(scenarios);
}

/** A text that differs once any of the files does: another name, time, size, or file of the same name. */
function readFingerprint(path: string): string {
  try {
    const isFolder = statSync(path).isDirectory();
    const files = isFolder
      ? documentFilesIn(path, ScenarioError).map((file) => join(path, file))
      : [path];
    return files.map((file) => `${file} ${readFileFingerprint(file)}`).join('\n');
  } catch {
    // It is gone, or went while it was looked at; loading says so.
    return 'unreadable';
  }
}

function readFileFingerprint(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}

function repeat(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  // Watching alone is no reason for a program to go on.
  timer.unref();
  return () => clearInterval(timer);
}
