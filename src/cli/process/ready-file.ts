/** `--ready-file`: a file that holds the addresses while the sandbox listens. */
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { fileErrorCode, findPathProblem, replaceFile } from '../../shared/atomic-file.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Writes each address and a newline, http first. The file is removed when the process ends. */
export function writeReadyFile(
  path: string,
  urls: readonly string[],
  program: Pick<NodeJS.Process, 'on'>,
): void {
  const text = urls.map((url) => `${url}\n`).join('');
  attempt(path, () => {
    replaceFile(path, text);
  });
  program.on('exit', () => {
    // Another sandbox may have written its own address meanwhile.
    if (isOurs(path, text)) rmSync(path, { force: true });
  });
}

/**
 * Removes a file that a killed process left behind: nothing listens at its address any more. Throws a `UsageError` if the
 * path holds anything that no sandbox wrote.
 */
export async function removeStaleReadyFile(path: string): Promise<void> {
  attempt(path, () => undefined);
  const text = textIn(path);
  if (text === undefined) return;
  const address = readReadyFile(path);
  if (address === undefined && text.trim() !== '') {
    throw new UsageError(
      `Cannot write the ready file "${path}": it holds something other than an address. Name another file, or remove this one.`,
    );
  }
  if (address !== undefined && (await isListening(address))) return;
  attempt(path, () => {
    rmSync(path, { force: true });
  });
}

/** Longer than a connection on one machine or in one network takes. */
const connectMs = 1_000;

function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 80), timeout: connectMs });
    const end = (listens: boolean): void => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', () => {
      end(true);
    });
    for (const event of ['error', 'timeout'] as const) {
      socket.once(event, () => {
        end(false);
      });
    }
  });
}

function attempt(path: string, run: () => void): void {
  const problem = findProblem(path);
  if (problem !== undefined) {
    throw new UsageError(
      `Cannot write the ready file "${path}": ${problem}. Name a file that may be replaced.`,
    );
  }
  try {
    run();
  } catch (error) {
    throw new UsageError(
      `Cannot write the ready file "${path}" (${fileErrorCode(error)}). Name a file in an existing, writable folder, such as a mounted folder or a tmpfs.`,
    );
  }
}

function findProblem(path: string): string | undefined {
  try {
    return findPathProblem(path);
  } catch {
    // A path that cannot be inspected cannot be written either, which says why.
    return undefined;
  }
}

/** Reads the address of http; `undefined` before the file is written. */
export function readReadyFile(path: string): string | undefined {
  const [first = ''] = (textIn(path) ?? '').split('\n', 1);
  const text = first.trim();
  return /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

function isOurs(path: string, text: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && textIn(path) === text;
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
