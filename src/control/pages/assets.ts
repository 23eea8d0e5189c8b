/** Files of the docs page: those that the build copies next to the code, and three of our own. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../shared/package-root.ts';
import { docsStyle } from './docs-style.ts';
import { initScript } from './init-script.ts';
import { pageStyle } from './style.ts';

export interface Asset {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

/** Made by `npm run build` from the Swagger UI package. */
const copied: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': script,
  'swagger-ui.css': style,
};

const own: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'init.js': [script, initScript],
  'docs.css': [style, docsStyle],
  'page.css': [style, pageStyle],
};

export const assetNames: readonly string[] = [...Object.keys(copied), ...Object.keys(own)];

/** The message if an asset is missing. */
export const missingAssets =
  'The interactive page is not built: run `npm run build` in the folder of card-vault-sandbox, then load this page again.';

/** Reads each file once, on first use. */
export class Assets {
  readonly #folder: string;
  readonly #read = new Map<string, Asset>();

  constructor(folder = join(packageRoot(), 'dist', 'assets')) {
    this.#folder = folder;
  }

  /** Whether the files of the build exist. It checks each time, so that a build takes effect immediately. */
  get built(): boolean {
    return Object.keys(copied).every(
      (name) => statSync(join(this.#folder, name), { throwIfNoEntry: false }) !== undefined,
    );
  }

  find(name: string): Asset | undefined {
    const known = this.#read.get(name);
    if (known !== undefined || !assetNames.includes(name)) return known;
    const asset = this.#load(name);
    if (asset !== undefined) this.#read.set(name, asset);
    return asset;
  }

  #load(name: string): Asset | undefined {
    const [type, text] = own[name] ?? [];
    if (type !== undefined && text !== undefined) {
      const content = new TextEncoder().encode(text);
      return { type, content, etag: `"${fingerprint(text)}"` };
    }
    const path = join(this.#folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return {
      type: copied[name] ?? 'application/octet-stream',
      content: new Uint8Array(readFileSync(path)),
      etag: `"${stats.size.toString(36)}-${Math.floor(stats.mtimeMs).toString(36)}"`,
    };
  }
}

/** An ETag that changes with the text, so that a browser notices a new version. */
function fingerprint(text: string): string {
  let mark = 0;
  for (let i = 0; i < text.length; i++) mark = (Math.imul(mark, 31) + text.charCodeAt(i)) >>> 0;
  return `${text.length.toString(36)}-${mark.toString(36)}`;
}
