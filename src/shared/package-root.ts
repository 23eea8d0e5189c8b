/** Finds this package on disk, from its sources and from its bundles. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packageName = 'card-vault-sandbox';

/** The folder that holds the package's own `package.json`, `fixtures/` and `scenarios/`. */
export function packageRoot(): string {
  return findPackage().root;
}

/** The version in the package's own `package.json`. */
export function packageVersion(): string {
  return findPackage().version;
}

/** Name and version of the package, as files that it writes show them. */
export function packageLabel(): string {
  return `${packageName} ${packageVersion()}`;
}

function findPackage(): { readonly root: string; readonly version: string } {
  const start = import.meta.dirname;
  for (let root = start; ; root = dirname(root)) {
    const version = versionIn(root);
    if (version !== undefined) return { root, version };
    if (root === dirname(root)) {
      throw new Error(
        `No package.json of ${packageName} lies in or above ${start}. Keep it next to dist/ and fixtures/ when the package is copied.`,
      );
    }
  }
}

/** The version in a folder's manifest, if it is the manifest of this package. Other packages may bundle this one. */
function versionIn(folder: string): string | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof manifest !== 'object' || manifest === null) return undefined;
  if (!('name' in manifest) || manifest.name !== packageName) return undefined;
  return 'version' in manifest ? String(manifest.version) : undefined;
}
