// Finds the mutants of the verdict, and rewrites its sources so that each mutant can be switched on while they run.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const conditionals = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'ForStatement',
  'DoWhileStatement',
]);
const comparisons = new Set(['===', '!==', '<', '<=', '>', '>=', 'in', 'instanceof']);
const predicateCallers = new Set(['filter', 'find', 'findLast', 'findIndex', 'some', 'every']);

/**
 * The places of a source where something is decided, each once: conditions of `if`, `? :` and loops, both sides of
 * `&&` and `||`, comparisons, negations, and predicates of `filter`, `find`, `some` and `every`.
 */
function conditionsOf(text) {
  const found = new Map();
  const note = ({ type, start, end }) =>
    type !== 'ObjectExpression' && found.set(`${start}-${end}`, { start, end });
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (conditionals.has(node.type) && node.test) note(node.test);
    if (node.type === 'LogicalExpression' && node.operator !== '??')
      [node.left, node.right].forEach(note);
    if (node.type === 'BinaryExpression' && comparisons.has(node.operator)) note(node);
    if (node.type === 'UnaryExpression' && node.operator === '!') note(node);
    if (node.type === 'CallExpression' && predicateCallers.has(node.callee.property?.name)) {
      const [predicate] = node.arguments;
      if (predicate?.type === 'ArrowFunctionExpression' && predicate.expression)
        note(predicate.body);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return [...found.values()].toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** All mutants of a folder below the root: one for each condition, and one for each rule. */
export function findMutants(root, folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted();
  const mutants = [];
  for (const name of files) {
    const path = join(root, folder, name);
    const text = readFileSync(path, 'utf8');
    const file = relative(root, path);
    const where = (start) => ({ file, line: text.slice(0, start).split('\n').length });
    for (const { start, end } of conditionsOf(text)) {
      const words = text.slice(start, end).replaceAll(/\s+/g, ' ');
      mutants.push({ kind: 'condition', id: mutants.length, ...where(start), words, start, end });
    }
    const rule =
      /^export const \w+: FindingRule = \{\n\s+id: '([\w-]+)'/m.exec(text) ??
      /^export const \w+ = \w+\('([\w-]+)'/m.exec(text);
    if (rule)
      mutants.push({ kind: 'rule', id: mutants.length, ...where(rule.index), words: rule[1] });
  }
  return mutants;
}

/** Rewrites a source: each condition asks whether its mutant is on, each rule whether it is removed. */
function rewrite(text, mutants) {
  const inserts = mutants
    .filter(({ kind }) => kind === 'condition')
    .flatMap(({ id, start, end }) => [
      { at: start, order: -end, word: `mutation.decide(${id}, ` },
      { at: end, order: -Infinity, word: ')' },
    ])
    .toSorted((a, b) => a.at - b.at || a.order - b.order);
  let from = 0;
  let written = '';
  for (const { at, word } of inserts) {
    written += text.slice(from, at) + word;
    from = at;
  }
  return written + text.slice(from);
}

/** The vite plugin that does this to the sources as they are loaded. */
export function mutationPlugin(root, mutants) {
  const ruleIds = Object.fromEntries(
    mutants.flatMap(({ kind, words, id }) => (kind === 'rule' ? [[words, id]] : [])),
  );
  return {
    name: 'mutation',
    enforce: 'pre',
    transform(text, path) {
      const file = relative(root, path);
      const written = rewrite(
        text,
        mutants.filter((mutant) => mutant.file === file),
      );
      if (file === 'src/sandbox/options.ts') {
        // A test that is repeated for many mutants has merchants of its own each time.
        return text.replace('maxMerchants: 1_000,', 'maxMerchants: 1_000_000,');
      }
      if (file === 'src/verdict/findings/finding-rules.ts') {
        return `${written}\nmutation.watchRules(findingRules, ${JSON.stringify(ruleIds)});`;
      }
      if (file === 'src/verdict/verdict.ts') {
        return written.replace(
          'export function judge(',
          'export const judge = mutation.watch(judgeAsWritten);\nfunction judgeAsWritten(',
        );
      }
      return written === text ? undefined : written;
    },
  };
}
