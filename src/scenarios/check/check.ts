/** Checks the parts of a scenario against each other: names exist and are unique, and outcomes can happen. */
import type { Path, Source } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { shippedFixtures } from '../../fixtures/load.ts';
import { didYouMean, listKnown } from '../../shared/did-you-mean.ts';
import { catalogue, findOutcome } from '../../outcomes/catalogue.ts';
import type { Outcome } from '../../outcomes/outcome.ts';
import { findAmountProblem, findRepeatedCurrency, moneyKeys } from '../expected-money.ts';
import { checkGate } from './check-gate.ts';
import { checkGivenCard } from './check-given.ts';
import { checkMatch } from './check-match.ts';
import { checkOutcomes, findParameterProblem } from './check-outcomes.ts';
import { operationWords } from '../rules/operation-words.ts';
import {
  collectProblems,
  readEntries,
  toList,
  readTexts,
  type ReportProblem,
} from '../rules/raw-rule.ts';

/** Checks a scenario before its schema, so that one error can name every problem. */
export function checkScenario(source: Source): string[] {
  const mistakes: string[] = [];
  const report = collectProblems(source, mistakes);
  const scenario = source.value;
  const given = toList(memberOf(memberOf(scenario, 'given'), 'cards'));
  for (const [at, card] of given.entries()) checkGivenCard(card, ['given', 'cards', at], report);
  const refs = checkNames(given, 'ref', ['given', 'cards']);
  const rules = toList(memberOf(scenario, 'rules'));
  const names = checkNames(rules, 'name', ['rules']);
  const hold = memberOf(scenario, 'hold');
  const gates = toList(hold);
  const gateNames = checkNames(gates, 'name', ['hold']);
  for (const { path, words } of [...refs.repeated, ...names.repeated, ...gateNames.repeated]) {
    report(path, words);
  }
  const states = statesOf(scenario, report);
  for (const [at, rule] of rules.entries()) {
    const path = ['rules', at];
    checkOutcomes(rule, path, report);
    checkMatch(rule, path, report);
    checkCards(rule, path, refs.known, report);
    checkState(rule, 'while', path, states, report);
    checkCount(rule, path, report);
  }
  for (const [at, gate] of gates.entries()) {
    const path = Array.isArray(hold) ? ['hold', at] : ['hold'];
    checkGate(gate, path, report);
    checkCards(gate, path, refs.known, report);
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

type KnownNames = ReadonlySet<string>;

interface Names {
  readonly known: KnownNames;
  readonly repeated: readonly { readonly path: Path; readonly words: string }[];
}

/** Reads the names under a key of every entry, and reports those that occur twice. */
function checkNames(entries: readonly unknown[], key: string, path: Path): Names {
  const found = entries.flatMap((entry, at) => readTexts(entry, key, [...path, at]));
  const known = new Set<string>();
  const repeated = found.flatMap(({ text, path: at }) => {
    if (!known.has(text)) {
      known.add(text);
      return [];
    }
    return [{ path: at, words: `"${text}" is already used. Each ${key} must be unique.` }];
  });
  return { known, repeated };
}

function statesOf(scenario: unknown, report: ReportProblem): KnownNames {
  const known = new Set<string>();
  for (const { text, path } of readTexts(scenario, 'states', [])) {
    if (known.has(text)) report(path, `the state "${text}" is already listed.`);
    known.add(text);
  }
  return known;
}

function checkState(
  of: unknown,
  key: 'while' | 'goto',
  path: Path,
  states: KnownNames,
  report: ReportProblem,
): void {
  const state = memberOf(of, key);
  if (typeof state !== 'string' || states.has(state)) return;
  const noStates = ' This scenario has no states. List them under states, the initial one first.';
  report(
    [...path, key],
    () => `unknown state "${state}".${states.size === 0 ? noStates : suggest(state, states)}`,
  );
}

/** Reports a rule with both `nth` and a list of steps: one picks a request, the other lists all of them. */
function checkCount(rule: unknown, path: Path, report: ReportProblem): void {
  const steps = memberOf(rule, 'then');
  if (memberOf(rule, 'nth') !== undefined && Array.isArray(steps) && steps.length > 1) {
    report(
      [...path, 'nth'],
      'picks one request, but then lists a step for each request. Remove nth and use ok for requests that succeed, or write a single step.',
    );
  }
}

const cardId = /^CARD-[0-9A-Z]{24}$/;

function checkCards(rule: unknown, path: Path, refs: KnownNames, report: ReportProblem): void {
  const condition = memberOf(memberOf(rule, 'match'), '$card');
  const at = [...path, 'match', '$card'];
  checkRef(condition, at, refs, report);
  for (const key of ['eq', 'ne']) checkRef(memberOf(condition, key), [...at, key], refs, report);
  for (const [index, one] of toList(memberOf(condition, 'in')).entries()) {
    checkRef(one, [...at, 'in', index], refs, report);
  }
}

function checkRef(ref: unknown, path: Path, refs: KnownNames, report: ReportProblem): void {
  if (typeof ref !== 'string' || refs.has(ref) || cardId.test(ref)) return;
  const noCards = ' Add the card to given.cards, or use the id of a card in the fixtures.';
  report(
    path,
    () => `no given card has the ref "${ref}".${refs.size === 0 ? noCards : suggest(ref, refs)}`,
  );
}

/** The end of a message about an unknown name: the nearest known one, and all of them. */
function suggest(name: string, names: Iterable<string>): string {
  const known = [...names];
  return `${didYouMean(name, known)} Known: ${listKnown(known)}.`;
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
    report([...path, 'event'], () => `unknown event "${event}".${suggest(event, known)}`);
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
export function checkExpectations(expect: unknown, refs: KnownNames, report: ReportProblem): void {
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
  checkMoney(expect, ['expect'], report);
  for (const [name, amounts] of readEntries(memberOf(expect, 'purchases'))) {
    checkMoney(amounts, ['expect', 'purchases', name], report);
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
    report(path, () => `unknown operation "${text}".${suggest(text, operationWords)}`);
  }
}

function checkMoney(amounts: unknown, path: Path, report: ReportProblem): void {
  for (const key of moneyKeys) {
    const texts = readTexts(amounts, key, path);
    for (const { text, path: at } of texts) {
      const problem = findAmountProblem(text, key === 'net');
      if (problem !== undefined) report(at, problem);
    }
    const repeated = findRepeatedCurrency(texts.map(({ text }) => text));
    if (repeated !== undefined) {
      report(
        [...path, key],
        `lists ${repeated} more than once. Write one amount for each currency.`,
      );
    }
  }
}
