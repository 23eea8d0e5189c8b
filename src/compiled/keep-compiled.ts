/**
 * Keeps what V8 has compiled of a bundle: the next process reads it instead of compiling it again. Node's own cache, which
 * Node 20 does not have, holds what is compiled before anything has run; this one holds what a process has called, which
 * takes a quarter more off a start.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeFolder } from './make-folder.ts';

/**
 * What is kept begins with the sum of its source and its own, as V8 runs what it is given, spoilt or not, and with the
 * stage at which it was kept. V8 copies what does not lie at a multiple of eight.
 */
const headBytes = 16;
/** What Node wraps around a CommonJS module. */
const before = Buffer.from('(function (exports, require, module, __filename, __dirname) { ');
const after = Buffer.from('\n})');

type Wrapped = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;

/** A bundle that was loaded. */
export interface Loaded {
  /** What it exports, which is what others get who require it. */
  readonly exports: unknown;
  /** The stage at which what is kept of it was kept; 0 where nothing is. */
  readonly keptAt: number;
  /** Keeps what is compiled of it by the time this is called, at some stage from 1; absent where that cannot be. */
  readonly keep?: (stage: number) => void;
}

/**
 * Loads a bundle as `require` does. What was compiled of it is kept for processes that run it in the same way, which goes
 * by a `name` of letters: in the folder that NODE_COMPILE_CACHE names, or else in one among the temporary files that
 * nobody else can write to. Where that cannot be used, or NODE_DISABLE_COMPILE_CACHE is set, it is loaded without a word.
 */
export function loadKept(path: string, name: string): Loaded {
  const require = createRequire(path);
  const folder = process.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : folderToUse();
  if (folder === undefined) return { exports: require(path) as unknown, keptAt: 0 };

  const { wrapped, source } = readWrapped(path);
  const sourceSum = crc32(source);
  const file = join(folder, nameFor(path, name));
  const kept = read(file, sourceSum);
  // Bundles are plain ASCII, and Latin-1 is read without being decoded.
  const script = new Script(wrapped.toString('latin1'), {
    filename: path,
    columnOffset: -before.length,
    cachedData: kept?.compiled,
  });
  const run = script.runInThisContext() as Wrapped; // The wrapper is such a function.
  const module = new Module(path);
  require.cache[path] = module;
  run(module.exports, require, module, path, dirname(path));
  module.loaded = true;
  return {
    exports: module.exports,
    keptAt: kept === undefined || script.cachedDataRejected ? 0 : kept.stage,
    keep: (stage) => {
      write(file, sourceSum, { stage, compiled: script.createCachedData() });
    },
  };
}

interface Source {
  /** With what Node wraps around it. */
  readonly wrapped: Buffer;
  /** The bundle alone, in the same bytes. */
  readonly source: Buffer;
}

/** Reads a bundle to where it is wrapped: to copy it there takes a millisecond of each start. */
function readWrapped(path: string): Source {
  const file = openSync(path, 'r');
  try {
    const wrapped = Buffer.allocUnsafeSlow(before.length + fstatSync(file).size + after.length);
    const source = wrapped.subarray(before.length, -after.length);
    before.copy(wrapped);
    let at = 0;
    while (at < source.length) {
      const bytes = readSync(file, source, at, source.length - at, at);
      if (bytes === 0)
        throw new Error(
          `${path} became shorter while it was read. Run it again; if that does not help, install it again.`,
        );
      at += bytes;
    }
    after.copy(wrapped, before.length + source.length);
    return { wrapped, source };
  } finally {
    closeSync(file);
  }
}

/**
 * One file for each way to run an installation under one Node with the same flags: newer versions write over older ones.
 * V8 goes by its own version alone, and two Nodes with the same V8 cannot always run what the other has compiled.
 */
function nameFor(path: string, name: string): string {
  const { arch, execPath, versions } = process;
  const whose = JSON.stringify([path, execPath, versions, arch, cachedDataVersionTag()]);
  return `card-vault-sandbox-${name}-${crc32(whose).toString(16)}`;
}

/** Code is read from there, so that nobody else may write to one that nobody has named. */
function folderToUse(): string | undefined {
  const named = process.env['NODE_COMPILE_CACHE'];
  const ourselves = process.getuid?.();
  const temporary = tmpdir();
  const folder = named || join(temporary, `card-vault-sandbox-compiled-${ourselves ?? 'user'}`);
  try {
    // One that is not there yet is for others to make, and for others to write to.
    if (!named && !existsSync(temporary)) return undefined;
    makeFolder(folder, 0o700);
    if (named || ourselves === undefined) return folder;
    const { mode, uid } = lstatSync(folder);
    return uid === ourselves && (mode & 0o022) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

interface Kept {
  readonly stage: number;
  readonly compiled: Buffer;
}

/** Nothing where nothing was kept, or was kept of another source. V8 itself refuses what another Node has kept. */
function read(file: string, sourceSum: number): Kept | undefined {
  try {
    const kept = readFileSync(file);
    const compiled = kept.subarray(headBytes);
    const isWhole = kept.readUInt32LE(0) === sourceSum && kept.readUInt32LE(4) === crc32(compiled);
    return isWhole ? { stage: kept.readUInt32LE(8), compiled } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, so that a start at the same moment never reads half a file. */
function write(file: string, sourceSum: number, { stage, compiled }: Kept): void {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(sourceSum, 0);
  head.writeUInt32LE(crc32(compiled), 4);
  head.writeUInt32LE(stage, 8);
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([head, compiled]), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    removeIfThere(unfinished);
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A process that may not write may not remove either, and has left nothing.
  }
}
