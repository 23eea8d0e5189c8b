/** Every merchant's world, made on first use from the same base, bounded in number. */
import { World, type WorldBase, type WorldSettings } from './world.ts';

export class Worlds {
  readonly #worlds = new Map<string, World>();
  readonly #settings: WorldSettings;
  readonly #base: WorldBase;
  readonly #max: number;

  constructor(settings: WorldSettings, base: WorldBase, max: number) {
    this.#settings = settings;
    this.#base = base;
    this.#max = max;
  }

  get size(): number {
    return this.#worlds.size;
  }

  get max(): number {
    return this.#max;
  }

  /** The world of a merchant; made if it is new, `undefined` if there is no room for another. */
  enter(merchant: string): World | undefined {
    const known = this.#worlds.get(merchant);
    if (known !== undefined || this.#worlds.size >= this.#max) return known;
    return this.#make(merchant);
  }

  /** The world of a merchant if there is one. */
  peek(merchant: string): World | undefined {
    return this.#worlds.get(merchant);
  }

  /** Puts a fresh world of another kind in the place of a merchant's; `undefined` if there is no room for it. */
  remake(
    merchant: string,
    settings: Partial<WorldSettings>,
    base: WorldBase = this.#base,
  ): World | undefined {
    if (!this.#worlds.has(merchant) && this.#worlds.size >= this.#max) return undefined;
    const world = new World(merchant, { ...this.#settings, ...settings }, base);
    this.#worlds.set(merchant, world);
    return world;
  }

  /** Puts a fresh world in the place of a merchant's. A request under way ends in the old one. */
  reset(merchant: string): void {
    if (this.#worlds.has(merchant)) this.#make(merchant);
  }

  resetAll(): void {
    this.#worlds.clear();
  }

  /** Forgets a merchant; `false` if there was none. */
  remove(merchant: string): boolean {
    return this.#worlds.delete(merchant);
  }

  merchants(): string[] {
    return [...this.#worlds.keys()];
  }

  #make(merchant: string): World {
    const world = new World(merchant, this.#settings, this.#base);
    this.#worlds.set(merchant, world);
    return world;
  }
}
