/** Checks the parts of a scenario against each other: names exist and are unique, and outcomes can happen. */
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

/** Checks a scenario before its schema, so that one error can name every problem. */
export function checkScenario(source: Source): string[] {
  const mistakes: string[] = [];
  const report: ReportProblem = (path, words) => mistakes.push(`${source.at(path)}: ${words}`);
  const scenario = source.value;
  const given = toList(memberOf(memberOf(scenario, 'given'), 'cards'));
  for (const [at, card] of given.entries()) checkGivenCard(card, ['given', 'cards', at], report);
  const refs = checkNames(given, 'ref', ['given', 'cards']);
  const rules = toList(memberOf(scenario, 'rules'));
  const names = checkNames(rules, 'name', ['rules']);
  for (const { path, words } of [...refs.repeated, ...names.repeated]) report(path, words);
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
  readonly repeated: readonly { readonly path: Path; readonly words: string }[];
}

/** Reads the names under a key of every entry, and reports those that occur twice. */
function checkNames(entries: readonly unknown[], key: string, path: Path): Names {
  const found = entries.flatMap((entry, at) => readTexts(entry, key, [...path, at]));
  const known = found.map(({ text }) => text);
  const repeated = found
    .filter(({ text }, at) => known.indexOf(text) < at)
    .map((one) => ({
      path: one.path,
      words: `"${one.text}" is already used. Each ${key} must be unique.`,
    }));
  return { known, repeated };
}

function statesOf(scenario: unknown, report: ReportProblem): string[] {
  const states = readTexts(scenario, 'states', []);
  const known = states.map(({ text }) => text);
  for (const [at, { text, path }] of states.entries()) {
    if (known.indexOf(text) < at) report(path, `the state "${text}" is already listed.`);
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
      ? ' This scenario has no states. List them under states, the initial one first.'
      : `${didYouMean(state, states)} Known: ${states.join(', ')}.`;
  report([...path, key], `unknown state "${state}".${words}`);
}

/** Reports a rule with both `nth` and a list of steps: one picks an attempt, the other lists all of them. */
function checkCount(rule: unknown, path: Path, report: ReportProblem): void {
  const steps = memberOf(rule, 'then');
  if (memberOf(rule, 'nth') !== undefined && Array.isArray(steps) && steps.length > 1) {
    report(
      [...path, 'nth'],
      'picks one attempt, but then lists a step for each attempt. Remove nth and use ok for attempts that succeed, or write a single step.',
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
      ? ' Add the card to given.cards, or use the id of a card in the fixtures.'
      : `${didYouMean(ref, refs)} Known: ${refs.join(', ')}.`;
  report(path, `no given card has the ref "${ref}".${words}`);
}

/** Whether a timeline can name an outcome as an event. */
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
      `unknown event "${event}".${didYouMean(event, known)} Known: ${known.join(', ')}.`,
    );
    return;
  }
  if (outcome.effect.kind === 'card' && memberOf(entry, 'card') === undefined) {
    report(path, `"${event}" happens to a card. Name it with card: the ref of a given card.`);
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
    `unknown fixtures "${fixtures}".${didYouMean(fixtures, shipped)} Known: ${shipped.join(', ')}. Write ./${fixtures} for a file or folder.`,
  );
}

/** Reports unknown cards and operations in expectations. `refs` names the given cards. */
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
      `unknown operation "${text}".${didYouMean(text, operationWords)} Known: ${operationWords.join(', ')}.`,
    );
  }
}
