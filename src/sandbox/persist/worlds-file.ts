/** The file that keeps the worlds of all merchants: a header, then one line for each merchant. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { DocumentError } from '../../documents/document-error.ts';
import { findExceededBound, maxJsonDepth } from '../../documents/json-bounds.ts';
import {
  fileErrorCode,
  findPathProblem,
  replaceFile,
  temporarySuffix,
} from '../../shared/atomic-file.ts';
import { OptionError } from '../../shared/option-error.ts';
import { packageLabel } from '../../shared/package-root.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { readWorld } from '../../world/export/read-world.ts';
import { isClientId } from '../../world/identity/merchant-id.ts';
import type { SavedWorld } from '../../world/world-state.ts';
import { FileLock } from './file-lock.ts';

const fileFormat = 'card-vault-sandbox/worlds';
const fileVersion = 1;

/** The longest file that is written and read. */
const maxFileBytes = 268_435_456;

const Header = z.object({
  format: z.literal(fileFormat),
  version: z.literal(fileVersion),
  writtenBy: z.string(),
  seed: z.string().min(1).max(256),
  worlds: z.int().min(0),
});

const Line = z.strictObject({
  merchant: z.string().refine(isClientId),
  isCustomized: z.boolean(),
  world: z.unknown(),
});

/** One merchant's world, as it was kept. */
export interface KeptWorld {
  readonly merchant: string;
  readonly isCustomized: boolean;
  readonly world: SavedWorld;
}

/** What the file held. */
export interface KeptWorlds {
  readonly seed: string;
  readonly worlds: readonly KeptWorld[];
}

/** Called with a message about the file that a person should read. */
export type PersistListener = (message: string) => void;

/** The file, locked for this sandbox. */
export class WorldsFile {
  readonly path: string;
  /** `undefined` if there was no file, or a broken one. */
  readonly kept: KeptWorlds | undefined;
  readonly #lock: FileLock;

  /**
   * Opens the file and reads it. Throws an `OptionError` if the path cannot be written, another sandbox uses the file, or
   * another version of the package wrote it. A broken file is renamed, and `onProblem` is called with a message.
   */
  constructor(path: string, onProblem: PersistListener) {
    this.path = path;
    this.#lock = lockOf(path);
    try {
      removeUnfinished(path);
      this.kept = read(path, onProblem);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Replaces the file. Returns why it could not; `undefined` if it did. */
  write(seed: string, lines: readonly string[]): string | undefined {
    const header = {
      format: fileFormat,
      version: fileVersion,
      writtenBy: packageLabel(),
      seed,
      worlds: lines.length,
    };
    const parts = [JSON.stringify(header), ...lines].map((line) => `${line}\n`);
    const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    if (bytes > maxFileBytes) {
      return `The worlds take ${bytes} bytes, more than the ${maxFileBytes} that the file may have. Reset or delete merchants.`;
    }
    if (!this.#lock.isHeld) {
      return 'Another sandbox has taken the file meanwhile. Use one file for each sandbox.';
    }
    try {
      replaceFile(this.path, parts);
      return undefined;
    } catch (error) {
      return `It cannot be written (${fileErrorCode(error)}).`;
    }
  }

  release(): void {
    this.#lock.release();
  }
}

/** The line of one world. */
export function lineOf(merchant: string, isCustomized: boolean, world: unknown): string {
  return JSON.stringify({ merchant, isCustomized, world });
}

function lockOf(path: string): FileLock {
  const problem = attempt(path, () => findPathProblem(path));
  if (problem !== undefined) {
    throw refused(path, `${problem}. Name a file that may be replaced.`);
  }
  const lock = attempt(path, () => FileLock.take(path));
  if (typeof lock !== 'string') return lock;
  throw refused(
    path,
    `${lock} uses it. Stop that sandbox, or name another file. If that process is gone, remove ${path}.lock.`,
  );
}

function attempt<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refused(
      path,
      `the folder cannot be written (${fileErrorCode(error)}). Name a file in an existing, writable folder, such as a mounted volume.`,
    );
  }
}

function refused(path: string, why: string): OptionError {
  return new OptionError(`Cannot keep worlds in "${path}": ${why}`);
}

/** A crash during a save leaves a temporary file. This sandbox has the lock, so no save is under way. */
function removeUnfinished(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(path)}.`) && name.endsWith(temporarySuffix)) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

function read(path: string, onProblem: PersistListener): KeptWorlds | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  // An empty file is a new one, as `mktemp` makes it.
  if (size === undefined || size === 0) return undefined;
  if (size > maxFileBytes) {
    throw refused(path, `it has ${size} bytes, more than the ${maxFileBytes} that are read.`);
  }
  const [first = Buffer.alloc(0), ...lines] = linesOf(attempt(path, () => readFileSync(path)));
  const header = parse(first);
  rejectOtherVersion(path, header);
  const worlds = readLines(header, lines);
  if (worlds !== undefined) return worlds;
  const aside = `${path}.broken-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(path, aside);
  onProblem(
    `The file of --persist, "${path}", is broken. It is kept as "${aside}", and the sandbox starts without its worlds.`,
  );
  return undefined;
}

/** The lines, without the empty rest after the last one. A line that is cut off has no end, so the file is broken. */
function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = content.indexOf(10); end !== -1; end = content.indexOf(10, start)) {
    lines.push(content.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** `undefined` if it is no JSON. */
function parse(line: Buffer): unknown {
  const bounds = { maxValues: Number.POSITIVE_INFINITY, maxDepth: maxJsonDepth };
  if (findExceededBound(line, bounds) !== undefined) return undefined;
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function rejectOtherVersion(path: string, header: unknown): void {
  if (memberOf(header, 'format') !== fileFormat) return;
  const version = memberOf(header, 'version');
  if (typeof version !== 'number' || version === fileVersion) return;
  const by = memberOf(header, 'writtenBy');
  const writtenBy = typeof by === 'string' ? ` (${by.slice(0, 100)})` : '';
  throw refused(
    path,
    `it has version ${version}${writtenBy}, and this package reads version ${fileVersion}. Use the package that wrote it, or name another file.`,
  );
}

/** `undefined` if anything is wrong. */
function readLines(header: unknown, lines: readonly Buffer[]): KeptWorlds | undefined {
  const head = Header.safeParse(header);
  if (!head.success || head.data.worlds !== lines.length) return undefined;
  const worlds: KeptWorld[] = [];
  for (const text of lines) {
    const line = Line.safeParse(parse(text));
    if (!line.success) return undefined;
    const { merchant, isCustomized, world } = line.data;
    try {
      worlds.push({ merchant, isCustomized, world: readWorld(world, noLimits) });
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }
  const names = new Set(worlds.map(({ merchant }) => merchant));
  return names.size === worlds.length ? { seed: head.data.seed, worlds } : undefined;
}

/** A world that is larger than a limit of this sandbox is not broken. It only cannot grow. */
const noLimits = {
  maxRecords: Number.POSITIVE_INFINITY,
  maxRequestIds: Number.POSITIVE_INFINITY,
} as const;
