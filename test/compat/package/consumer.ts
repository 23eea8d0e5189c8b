/** Projects of strangers, into which the packed package is installed. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '../../support/repository/source-files.ts';

const run = promisify(execFile);
// npm is a script on Windows, which only a shell starts.
const shell = process.platform === 'win32';

const Packed = z.tuple([z.object({ filename: z.string() })]);

/** What a project prints and how it ends. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const Failure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** A folder with the tarball, and the projects that install it. */
export class Consumers {
  readonly folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-consumers-'));
  readonly tarball: string;

  constructor() {
    const packed = execFileSync(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder],
      { cwd: root, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [{ filename }] = Packed.parse(JSON.parse(packed));
    this.tarball = join(this.folder, filename);
  }

  /** A project of this kind with the package installed, and nothing else. */
  project(name: string, files: Readonly<Record<string, string>>): Project {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    execFileSync(
      'npm',
      ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', this.tarball],
      { cwd: folder, shell, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return new Project(folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class Project {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs a program in the project, on this Node or another. */
  async run(
    args: readonly string[],
    node = process.execPath,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ran> {
    try {
      const done = await run(node, [...args], { cwd: this.folder, env, timeout: 300_000 });
      return { code: 0, ...done };
    } catch (error) {
      return Failure.parse(error);
    }
  }
}
