/**
 * Reloads scenario files when they change.
 *
 * It polls instead of using file events. Polling also detects swapped folders, files that are replaced by older ones,
 * and changes in folders that are mounted into a container.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { documentFilesIn } from '../documents/files.ts';
import { loadScenarios, type LoadedScenario } from './load.ts';
import { ScenarioError } from './scenario-error.ts';

const pollIntervalMs = 250;

/** Runs a function repeatedly and returns a function that stops it. */
export type RepeatTimer = (ms: number, run: () => void) => () => void;

export interface WatchOptions {
  /** A scenario file or a folder of scenario files. */
  readonly path: string;
  /** Called with all scenarios after a change that leaves every file valid. */
  readonly onScenarios: (scenarios: readonly LoadedScenario[]) => void;
  /** Called after a change that makes a file invalid. The previous scenarios stay loaded. */
  readonly onError: (error: ScenarioError) => void;
  readonly every?: RepeatTimer;
}

/** Watches a file or folder and returns a function that stops it. */
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
    // A file may be only half written: reload once two polls in a row see the same state.
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

/** Returns a text that changes with the name, time, size or inode of any file. */
function readFingerprint(path: string): string {
  try {
    const isFolder = statSync(path).isDirectory();
    const files = isFolder
      ? documentFilesIn(path, ScenarioError).map((file) => join(path, file))
      : [path];
    return files.map((file) => `${file} ${readFileFingerprint(file)}`).join('\n');
  } catch {
    // The path does not exist or disappeared. Loading it reports the error.
    return 'unreadable';
  }
}

function readFileFingerprint(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}

function repeat(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  // The timer must not keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}
