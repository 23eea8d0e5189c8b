/** Asks what is to happen to a request: from armed rules, its headers, the scenario, and magic values in its data. */
import { findOutcome, outcomeIds, canBeRequested } from '../../outcomes/catalogue.ts';
import type { Facts } from '../../outcomes/rules/facts.ts';
import { findOutcomeByAmount, findOutcomeByName } from '../../outcomes/triggers/magic-values.ts';
import {
  unappliedMockHeader,
  unappliedOutcomeHeader,
  readMockResponse,
  readOutcomeHeader,
  typedParams,
  type UnappliedHeader,
} from '../../outcomes/triggers/headers.ts';
import { applyParams } from '../../outcomes/decide/params.ts';
import {
  canApplyAt,
  findObstacle,
  type OutcomeChoice,
  type Decision,
  type DecisionPoint,
} from '../../outcomes/decide/decision.ts';
import { includesOperation } from '../../outcomes/rules/rule.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { findParameterProblem } from '../../scenarios/check/check-outcomes.ts';
import type { Transport } from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import type { Turned } from '../context.ts';
import { RequestFacts, type Asked } from './request-facts.ts';
import type { Payment } from '../../domain/records.ts';

export interface ForcingSettings {
  readonly magicAmounts: boolean;
}

/** Nothing is forced. */
export const natural: Decision = {
  domain: undefined,
  transport: undefined,
  dialects: [],
  nearMisses: [],
};

/** Decides on a request, and consumes what it decides; `Turned` when a header asks for something that is not there. */
export function decide(
  world: World,
  transport: Transport,
  gate: DecisionPoint,
  asked: Asked,
  settings: ForcingSettings,
): Decision | Turned {
  const choice = headerChoice(world, transport, gate, asked);
  if (choice !== undefined && 'kind' in choice) return choice;
  const [header, inVain] =
    choice !== undefined && 'nearMiss' in choice
      ? [undefined, choice.nearMiss]
      : [choice, undefined];
  const magic = gate === 'before-commit' ? magicChoice(world, asked, settings) : undefined;
  const isPlain = world.ruleBook.isEmpty && header === undefined && magic === undefined;
  const decision = isPlain
    ? natural
    : world.ruleBook.decide(new RequestFacts(world, transport, asked), gate, { header, magic });
  if (inVain === undefined) return decision;
  return { ...decision, nearMisses: [inVain, ...decision.nearMisses], headerCannotApply: true };
}

function headerChoice(
  world: World,
  transport: Transport,
  gate: DecisionPoint,
  asked: Asked,
): OutcomeChoice | UnappliedHeader | Turned | undefined {
  const own = transport.header('sandbox-outcome');
  const mock = own === undefined ? transport.header('paypal-mock-response') : undefined;
  if (own === undefined && mock === undefined) return undefined;
  const facts = new RequestFacts(world, transport, asked);
  return own === undefined
    ? mockChoice(mock ?? '', asked, facts)
    : ownHeaderChoice(own, gate, asked, facts);
}

/**
 * As on the real service, an unknown code changes nothing (contract.md §7); here the answer says so. A header speaks of
 * this request alone: what cannot befall it gives way to the error as such, which can.
 */
function mockChoice(header: string, asked: Asked, facts: Facts): OutcomeChoice | UnappliedHeader {
  const read = readMockResponse(header);
  if ('nearMiss' in read) return read;
  return (
    read
      .filter(({ operations }) => fits(operations, asked))
      .map((outcome): OutcomeChoice => ({ outcome, params: {}, by: 'header', rule: undefined }))
      .find((chosen) => findObstacle(chosen, facts) === undefined) ??
    unappliedMockHeader(`${asked.operation} has no such error`)
  );
}

/** An id that nobody knows is a mistake; what cannot befall this very request was asked for in vain. */
function ownHeaderChoice(
  header: string,
  gate: DecisionPoint,
  asked: Asked,
  facts: Facts,
): OutcomeChoice | UnappliedHeader | Turned {
  const read = readOutcomeHeader(header);
  const outcome = read && findOutcome(read.outcome);
  if (read === undefined || outcome === undefined) {
    return cannotForce(`It names no outcome.${didYouMean(read?.outcome ?? '', outcomeIds)}`);
  }
  if (!canBeRequested(outcome)) {
    return cannotForce(
      `"${outcome.id}" takes more than one request, befalls everybody's, or comes by itself. Write a rule for it, or send what leads to it.`,
    );
  }
  const params = typedParams(outcome, read.params);
  for (const [name, value] of Object.entries(params)) {
    const fault = findParameterProblem(outcome, name, value);
    if (fault !== undefined) return cannotForce(`${name}: ${fault}`);
  }
  if (!fits(outcome.operations, asked)) {
    return unappliedOutcomeHeader(`${asked.operation} cannot have ${outcome.id}`);
  }
  const chosen: OutcomeChoice = {
    outcome: applyParams(outcome, params),
    params,
    by: 'header',
    rule: undefined,
  };
  // Before that gate too little of the request is known to tell.
  const why = canApplyAt(outcome, gate) ? findObstacle(chosen, facts) : undefined;
  return why === undefined ? chosen : unappliedOutcomeHeader(why);
}

function cannotForce(words: string): Turned {
  return {
    kind: 'outcome-unknown',
    reason: `The header Sandbox-Outcome cannot be followed. ${words}`,
    detail: { public: words },
  };
}

function fits(
  operations: readonly Parameters<typeof includesOperation>[0][],
  asked: Asked,
): boolean {
  return operations.some((pattern) => includesOperation(pattern, asked.operation, asked.writes));
}

/** What the card's holder, its number or the amount asks for. */
function magicChoice(
  world: World,
  asked: Asked,
  { magicAmounts }: ForcingSettings,
): OutcomeChoice | undefined {
  if (asked.operation === 'card.create') return befallsCard(asked);
  const payment = paymentOf(world, asked);
  if (payment === undefined) return undefined;
  const { instrument, transaction } = payment;
  const holder = instrument.kind === 'token' ? instrument : instrument.face;
  const asks: readonly (readonly [OutcomeChoice['by'], string | undefined])[] = [
    ['name', findOutcomeByName(holder.firstName, holder.lastName)],
    ['card', holder.asksFor],
    ['amount', magicAmounts ? findOutcomeByAmount(transaction.amount.minor) : undefined],
  ];
  for (const [by, id] of asks) {
    const outcome = id === undefined ? undefined : findOutcome(id);
    if (outcome !== undefined && fits(outcome.operations, asked)) {
      return { outcome, params: {}, by, rule: undefined };
    }
  }
  return undefined;
}

/** What a card asks for when it is stored: only that something befalls it later. The rest it asks for when it pays. */
function befallsCard({ change }: Asked): OutcomeChoice | undefined {
  const write = change?.writes.find((one) => one.table === 'cards' && 'record' in one);
  if (write === undefined || !('record' in write) || write.table !== 'cards') return undefined;
  const { firstName, lastName, asksFor } = write.record;
  const asks = [
    ['name', findOutcomeByName(firstName, lastName)],
    ['card', asksFor],
  ] as const;
  for (const [by, id] of asks) {
    const outcome = id === undefined ? undefined : findOutcome(id);
    if (outcome?.effect.kind === 'card') return { outcome, params: {}, by, rule: undefined };
  }
  return undefined;
}

/** The payment a request would make, or the one it gives money back from. */
function paymentOf(world: World, { operation, params, change }: Asked): Payment | undefined {
  switch (operation) {
    case 'payment.create': {
      const write = change?.writes.find((one) => one.table === 'payments' && 'record' in one);
      return write?.table === 'payments' ? write.record : undefined;
    }
    case 'sale.refund':
    case 'capture.refund': {
      const from =
        world.sales.get(params['sale_id'] ?? '') ?? world.captures.get(params['capture_id'] ?? '');
      return from && world.payments.get(from.paymentId);
    }
    default:
      return undefined;
  }
}
