/**
 * Keeps what V8 has compiled of the command: the next start, and the next health check, read it instead of compiling it
 * again. Node's own cache, which Node 20 does not have, holds what is compiled before anything has run; this one holds
 * what a run has called, and takes a quarter more off a start.
 */
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { makeFolder } from './make-folder.ts';

/** What is kept begins with the sum of its source and its own: V8 runs what it is given, spoilt or not. */
const headBytes = 8;
/** When a start is over, and its first requests are answered, also where machines are slow. */
const startedAfterMs = 2_000;
/** What Node wraps around a CommonJS module. */
const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const;

type Wrapped = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;

/** What a process runs. */
export interface Run {
  /** Processes with the same verb call the same functions. */
  readonly verb: string;
  /** Whether this one will call what the next one does: the help of a verb is not the verb. */
  readonly isTypical: boolean;
}

/** How a command line begins is how it goes on: a verb in front, or flags of the verb that needs no name. */
export function runOf(args: readonly string[]): Run {
  const [first = ''] = args;
  return {
    verb: /^[a-z]+$/.test(first) ? first : 'serve',
    isTypical: !args.some((arg) => /^(-h|--help|-v|--version)$/.test(arg)),
  };
}

/**
 * What this bundle exports, which is loaded as `require` loads it. What was compiled by the end of the start is kept for
 * processes that run the same verb: in the folder that NODE_COMPILE_CACHE names, or else in one among the temporary
 * files that nobody else can write to. Where that cannot be used, or NODE_DISABLE_COMPILE_CACHE is set, it is loaded
 * without a word and nothing is kept.
 */
export function loadKept(path: string, { verb, isTypical }: Run): unknown {
  const require = createRequire(path);
  const folder = process.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : folderToUse();
  if (folder === undefined) return require(path);

  const source = readFileSync(path);
  const sourceSum = crc32(source);
  const file = join(folder, nameFor(path, verb));
  const cachedData = read(file, sourceSum);
  const script = new Script(wrapper.join(source.toString()), {
    filename: path,
    columnOffset: -wrapper[0].length,
    cachedData,
  });
  if (isTypical && (cachedData === undefined || script.cachedDataRejected)) {
    keepOnce(() => {
      write(file, sourceSum, script.createCachedData());
    });
  }
  const run = script.runInThisContext() as Wrapped; // The wrapper is such a function.
  const module = { exports: {} };
  run(module.exports, require, module, path, dirname(path));
  return module.exports;
}

/**
 * Soon after the start, or at the end of a process that ends well before: V8 drops what has not run for a while, so one
 * that served for long no longer has what a start needs.
 */
function keepOnce(keep: () => void): void {
  const atExit = (code: number): void => {
    // What runs into a mistake is not what the next start will run.
    if (code === 0) keep();
  };
  process.once('exit', atExit);
  setTimeout(() => {
    process.off('exit', atExit);
    keep();
  }, startedAfterMs).unref();
}

/**
 * One file for each verb of an installation under one Node with the same flags: newer versions write over older ones.
 * V8 goes by its own version alone, and two Nodes with the same V8 cannot always run what the other has compiled.
 */
function nameFor(path: string, verb: string): string {
  const { arch, execPath, versions } = process;
  const whose = JSON.stringify([path, execPath, versions, arch, cachedDataVersionTag()]);
  return `card-vault-sandbox-${verb}-${crc32(whose).toString(16)}`;
}

/** Code is read from there, so that nobody else may write to one that nobody has named. */
function folderToUse(): string | undefined {
  const named = process.env['NODE_COMPILE_CACHE'];
  const ourselves = process.getuid?.();
  const temporary = tmpdir();
  const folder = named || join(temporary, `card-vault-sandbox-compiled-${ourselves ?? 'user'}`);
  // One that is not there yet is for others to make, and for others to write to.
  if (!named && !existsSync(temporary)) return undefined;
  try {
    makeFolder(folder, 0o700);
    if (named || ourselves === undefined) return folder;
    const { mode, uid } = lstatSync(folder);
    return uid === ourselves && (mode & 0o022) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing where nothing was kept, or was kept of another source. V8 itself refuses what another Node has kept. */
function read(file: string, sourceSum: number): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const compiled = kept.subarray(headBytes);
    const isWhole = kept.readUInt32LE(0) === sourceSum && kept.readUInt32LE(4) === crc32(compiled);
    return isWhole ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, so that a start at the same moment never reads half a file. */
function write(file: string, sourceSum: number, compiled: Buffer): void {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(sourceSum, 0);
  head.writeUInt32LE(crc32(compiled), 4);
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([head, compiled]), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  }
}
