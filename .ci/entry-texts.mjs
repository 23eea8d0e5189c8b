/** The files by which programs come to the library: each names what it exports, and leaves the rest to others. */
import { entries, parts } from './entries.mjs';

const ownRealm = [
  "import { createRequire } from 'node:module';",
  "import { runsKept } from './realm.js';",
];

/**
 * For `import`: the library that V8 has kept, or the one in modules where that may not run. `asked` is what is required
 * for the first, and `modules` what is imported for the second.
 */
function forImport({ asked, modules, names }) {
  return [
    ...ownRealm,
    'const library = runsKept(import.meta.url)',
    `  ? createRequire(import.meta.url)(${asked}`,
    `  : await import('./modules/${modules}.js');`,
    `export const {\n${names.map((name) => `  ${name},\n`).join('')}} = library;`,
    '',
  ].join('\n');
}

/** For `require`. The last line is for programs that import it all the same: it says what there is without being run. */
function forRequire(asked, names) {
  return [
    "'use strict';",
    `module.exports = require(${asked};`,
    `0 && (module.exports = {\n${names.map((name) => `  ${name},\n`).join('')}});`,
    '',
  ].join('\n');
}

/**
 * By name of the file: what is in it. `exported` has the names that sources export, `shared` the sources that the client
 * and the library share.
 */
export function entryTexts(exported, shared) {
  const named = (source) => exported.get(source).toSorted();
  const [library, client] = [entries.index, entries.client].map(named);
  const clientPart = `'./shared.cjs').part${shared.indexOf(entries.client)}`;
  return {
    'index.js': forImport({
      asked: "'./kept.cjs').core.main",
      modules: 'index',
      names: library,
    }),
    'index.cjs': forRequire("'./kept.cjs').core.main", library),
    'client.js': forImport({ asked: clientPart, modules: 'client', names: client }),
    'client.cjs': forRequire(clientPart, client),
    'parts.js': forImport({
      asked: "'./kept.cjs').core.parts()",
      modules: 'parts',
      names: named(parts),
    }),
  };
}
