// Inverts one condition of the finding rules at a time and requires that a test of the verdict fails.
//
//   node .ci/mutate-verdict.mjs [--in PATH-PART] [--at-most N] [TEST-PATH …]
//
// It changes files of src/verdict/findings and restores each of them, so run it on a clean work tree.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseAst } from 'rolldown/parseAst';

const { values, positionals } = parseArgs({
  options: { in: { type: 'string', default: '' }, 'at-most': { type: 'string', default: '1000' } },
  allowPositionals: true,
});
const tests =
  positionals.length > 0
    ? positionals
    : ['test/behaviour/verdict', 'test/behaviour/model-clients/zoo.test.ts'];

/** The conditions of a file: of `if` and `? :`, and both sides of `&&` and `||`. */
function conditionsOf(text) {
  const found = new Map();
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    const { type, test, left, right } = node;
    if (type === 'IfStatement' || type === 'ConditionalExpression') note(test);
    if (type === 'LogicalExpression' && node.operator !== '??') [left, right].forEach(note);
    Object.values(node).forEach(visit);
  };
  const note = ({ start, end }) => found.set(`${start}-${end}`, [start, end]);
  visit(parseAst(text, { lang: 'ts' }));
  return [...found.values()];
}

function passes() {
  const args = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--maxWorkers=1', '--bail=1'];
  return spawnSync('npx', [...args, ...tests], { stdio: 'ignore' }).status === 0;
}

if (!passes()) throw new Error('The tests fail without any change.');
const survivors = [];
let count = 0;
const folder = 'src/verdict/findings';
const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'));
for (const name of names.toSorted()) {
  const path = `${folder}/${name}`;
  if (!path.includes(values.in)) continue;
  const text = readFileSync(path, 'utf8');
  for (const [from, to] of conditionsOf(text)) {
    if (count >= Number(values['at-most'])) break;
    count++;
    try {
      writeFileSync(path, `${text.slice(0, from)}!(${text.slice(from, to)})${text.slice(to)}`);
      if (passes()) {
        const line = text.slice(0, from).split('\n').length;
        survivors.push(`${path}:${line}  ${text.slice(from, to).replaceAll(/\s+/g, ' ')}`);
      }
    } finally {
      writeFileSync(path, text);
    }
  }
}
const lines = [
  `${count - survivors.length} of ${count} inverted conditions were found.`,
  ...survivors.map((survivor) => `not found: ${survivor}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = survivors.length > 0 ? 1 : 0;
