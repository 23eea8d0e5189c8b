/** Saves the worlds of all merchants soon after they change, and restores them at the start. */
import { clearTimeout, setTimeout } from 'node:timers';
import { OptionError } from '../../shared/option-error.ts';
import { packageLabel } from '../../shared/package-root.ts';
import { writeWorldWithoutSecrets } from '../../world/export/write-world.ts';
import type { World } from '../../world/world.ts';
import type { Worlds } from '../../world/worlds.ts';
import { lineOf, type PersistListener, type WorldsFile } from './worlds-file.ts';

/** Changes within this time are saved together. */
const gatherMs = 250;

/** Saving takes at most a tenth of the time, however large the worlds are. */
const restPerSave = 9;

interface SavedLine {
  readonly world: World;
  readonly line: string;
}

export class Persistence {
  readonly #file: WorldsFile;
  readonly #worlds: Worlds;
  readonly #seed: string;
  readonly #onProblem: PersistListener;
  /** The line of each merchant whose world has not changed since. */
  readonly #lines = new Map<string, SavedLine>();
  readonly #reported = new Set<string>();
  readonly #onExit = (): void => {
    this.close();
  };
  #timer: NodeJS.Timeout | undefined;
  #lastSaveMs = 0;
  #isClosed = false;

  /** Restores the worlds of the file. Throws an `OptionError` if the sandbox has no room for all of them. */
  constructor(file: WorldsFile, worlds: Worlds, seed: string, onProblem: PersistListener) {
    this.#file = file;
    this.#worlds = worlds;
    this.#seed = seed;
    this.#onProblem = onProblem;
    const kept = file.kept?.worlds ?? [];
    if (kept.length > worlds.max) {
      throw new OptionError(
        `"${file.path}" keeps ${kept.length} merchants, and limits.maxMerchants (--max-merchants) is ${worlds.max}. Raise the limit.`,
      );
    }
    for (const { merchant, world, isCustomized } of kept) {
      worlds.restore(merchant, world, isCustomized);
    }
    // A program that never closes its sandbox still keeps its worlds.
    process.once('exit', this.#onExit);
  }

  /** Notes that a merchant's world has changed; without a merchant, that any may have. */
  touch(merchant?: string): void {
    if (this.#isClosed) return;
    if (merchant === undefined) this.#lines.clear();
    else this.#lines.delete(merchant);
    this.#timer ??= setTimeout(
      () => {
        this.#save();
      },
      Math.max(gatherMs, this.#lastSaveMs * restPerSave),
    ).unref();
  }

  /** Saves once more and frees the file. */
  close(): void {
    if (this.#isClosed) return;
    this.#save();
    this.#isClosed = true;
    process.off('exit', this.#onExit);
    this.#file.release();
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const startedMs = performance.now();
    const worlds = this.#worlds.all();
    const lines = worlds.map((world) => this.#lineOf(world));
    for (const merchant of this.#lines.keys()) {
      if (this.#lines.get(merchant)?.world !== worlds.find((one) => one.merchant === merchant)) {
        this.#lines.delete(merchant);
      }
    }
    const problem = this.#file.write(this.#seed, lines);
    this.#lastSaveMs = performance.now() - startedMs;
    if (problem !== undefined) {
      this.#report(`The worlds were not saved in "${this.#file.path}". ${problem}`);
    }
  }

  #lineOf(world: World): string {
    const { merchant } = world;
    const known = this.#lines.get(merchant);
    if (known?.world === world) return known.line;
    const { isCustomized, ...saved } = this.#worlds.save(world);
    const { document, omitted } = writeWorldWithoutSecrets(saved, packageLabel());
    for (const rule of omitted) {
      this.#report(
        `The rule "${rule}" of merchant ${merchant} matches a secret, so it is not saved in "${this.#file.path}".`,
      );
    }
    const line = lineOf(merchant, isCustomized, document);
    this.#lines.set(merchant, { world, line });
    return line;
  }

  /** Says the same thing once. */
  #report(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#onProblem(message);
  }
}
