/** What must hold between the parts of a scenario: names are there and taken once, outcomes can happen. */
import type { Path, Source } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { shippedFixtures } from '../../fixtures/load.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { catalogue, findOutcome } from '../../outcomes/catalogue.ts';
import type { Outcome } from '../../outcomes/outcome.ts';
import { checkGivenCard } from './check-given.ts';
import { checkMatch } from './check-match.ts';
import { checkOutcomes, findParameterProblem } from './check-outcomes.ts';
import { operationWords } from '../rules/operation-words.ts';
import { readEntries, toList, readTexts, type ReportProblem } from '../rules/raw-rule.ts';

/** Looks at a scenario as written, so that these mistakes are named along with all others. */
export function checkScenario(source: Source): string[] {
  const mistakes: string[] = [];
  const report: ReportProblem = (path, words) => mistakes.push(`${source.at(path)}: ${words}`);
  const scenario = source.value;
  const given = toList(memberOf(memberOf(scenario, 'given'), 'cards'));
  for (const [at, card] of given.entries()) checkGivenCard(card, ['given', 'cards', at], report);
  const refs = checkNames(given, 'ref', ['given', 'cards']);
  const rules = toList(memberOf(scenario, 'rules'));
  const names = checkNames(rules, 'name', ['rules']);
  for (const { path, words } of [...refs.taken, ...names.taken]) report(path, words);
  const states = statesOf(scenario, report);
  for (const [at, rule] of rules.entries()) {
    const path = ['rules', at];
    checkOutcomes(rule, path, report);
    checkMatch(rule, path, report);
    checkCards(rule, path, refs.known, report);
    checkState(rule, 'while', path, states, report);
    checkCount(rule, path, report);
  }
  for (const [at, entry] of toList(memberOf(scenario, 'timeline')).entries()) {
    const path = ['timeline', at];
    checkState(entry, 'goto', path, states, report);
    checkRef(memberOf(entry, 'card'), [...path, 'card'], refs.known, report);
    checkEvent(entry, path, report);
  }
  checkFixtures(memberOf(scenario, 'fixtures'), report);
  checkExpectations(memberOf(scenario, 'expect'), refs.known, report);
  return mistakes;
}

interface Names {
  readonly known: readonly string[];
  readonly taken: readonly { readonly path: Path; readonly words: string }[];
}

/** The names under a key of every entry, and those that come a second time. */
function checkNames(entries: readonly unknown[], key: string, path: Path): Names {
  const found = entries.flatMap((entry, at) => readTexts(entry, key, [...path, at]));
  const known = found.map(({ text }) => text);
  const taken = found
    .filter(({ text }, at) => known.indexOf(text) < at)
    .map((one) => ({
      path: one.path,
      words: `"${one.text}" is taken already. Each needs its own.`,
    }));
  return { known, taken };
}

function statesOf(scenario: unknown, report: ReportProblem): string[] {
  const states = readTexts(scenario, 'states', []);
  const known = states.map(({ text }) => text);
  for (const [at, { text, path }] of states.entries()) {
    if (known.indexOf(text) < at) report(path, `the state "${text}" is there already.`);
  }
  return known;
}

function checkState(
  of: unknown,
  key: 'while' | 'goto',
  path: Path,
  states: readonly string[],
  report: ReportProblem,
): void {
  const state = memberOf(of, key);
  if (typeof state !== 'string' || states.includes(state)) return;
  const words =
    states.length === 0
      ? 'This scenario has no states; list them under states, the first one first.'
      : `States: ${states.join(', ')}.${didYouMean(state, states)}`;
  report([...path, key], `no state is called "${state}". ${words}`);
}

/** Attempts are either counted off along a list, or one is picked; both at once says nothing. */
function checkCount(rule: unknown, path: Path, report: ReportProblem): void {
  const steps = memberOf(rule, 'then');
  if (memberOf(rule, 'nth') !== undefined && Array.isArray(steps) && steps.length > 1) {
    report(
      [...path, 'nth'],
      'picks one attempt, while then lists a step for each. Leave nth out and write ok for the attempts that go well, or write one step.',
    );
  }
}

const cardId = /^CARD-[0-9A-Z]{24}$/;

function checkCards(
  rule: unknown,
  path: Path,
  refs: readonly string[],
  report: ReportProblem,
): void {
  const condition = memberOf(memberOf(rule, 'match'), '$card');
  const at = [...path, 'match', '$card'];
  checkRef(condition, at, refs, report);
  for (const key of ['eq', 'ne']) checkRef(memberOf(condition, key), [...at, key], refs, report);
  for (const [index, one] of toList(memberOf(condition, 'in')).entries()) {
    checkRef(one, [...at, 'in', index], refs, report);
  }
}

function checkRef(ref: unknown, path: Path, refs: readonly string[], report: ReportProblem): void {
  if (typeof ref !== 'string' || refs.includes(ref) || cardId.test(ref)) return;
  const words =
    refs.length === 0
      ? 'Give the card under given.cards, or write the id of a card in the fixtures.'
      : `Given: ${refs.join(', ')}.${didYouMean(ref, refs)}`;
  report(path, `no given card has the ref "${ref}". ${words}`);
}

/** Whether an outcome can come by the clock alone. */
function isTimelineEvent({ effect }: Outcome): boolean {
  return effect.kind === 'later' || effect.kind === 'card';
}

function checkEvent(entry: unknown, path: Path, report: ReportProblem): void {
  const event = memberOf(entry, 'event');
  if (typeof event !== 'string') return;
  const outcome = findOutcome(event);
  if (outcome === undefined || !isTimelineEvent(outcome)) {
    const known = catalogue.filter(isTimelineEvent).map(({ id }) => id);
    report(
      [...path, 'event'],
      `nothing that comes later is called "${event}". Known: ${known.join(', ')}.${didYouMean(event, known)}`,
    );
    return;
  }
  if (outcome.effect.kind === 'card' && memberOf(entry, 'card') === undefined) {
    report(path, `"${event}" befalls a card: say which, with card and the ref of a given one.`);
  }
  for (const [name, value] of readEntries(memberOf(entry, 'with'))) {
    const fault = findParameterProblem(outcome, name, value);
    if (fault !== undefined) report([...path, 'with', name], fault);
  }
}

function checkFixtures(fixtures: unknown, report: ReportProblem): void {
  if (typeof fixtures !== 'string' || /[/\\.]/.test(fixtures)) return;
  const shipped = shippedFixtures();
  if (shipped.includes(fixtures)) return;
  report(
    ['fixtures'],
    `no set of fixtures that ships is called "${fixtures}". Known: ${shipped.join(', ')}.${didYouMean(fixtures, shipped)} Write ./${fixtures} for a file or folder.`,
  );
}

/** Looks for names in expectations that nothing has; `refs` are those of given cards. */
export function checkExpectations(
  expect: unknown,
  refs: readonly string[],
  report: ReportProblem,
): void {
  const byCard: readonly Path[] = [
    ['sales', 'byCard'],
    ['sales', 'onCard'],
    ['attempts', 'byCard'],
  ];
  for (const path of byCard) {
    for (const [ref] of readEntries(path.reduce<unknown>(memberOf, expect))) {
      checkRef(ref, ['expect', ...path, ref], refs, report);
    }
  }
  const named = [
    ...readEntries(memberOf(expect, 'requests')).map(([text]) => ({
      text,
      path: ['expect', 'requests', text],
    })),
    ...readTexts(expect, 'sameRequestId', ['expect']),
  ];
  for (const { text, path } of named) {
    if (operationWords.some((word) => word === text)) continue;
    report(
      path,
      `no operation is called "${text}". Known: ${operationWords.join(', ')}.${didYouMean(text, operationWords)}`,
    );
  }
}
