/**
 * Decides which outcomes are forced on a request: by rules, its headers, the scenario, and magic values in its data.
 */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Change } from '../../domain/ports.ts';
import type { Payment } from '../../domain/records.ts';
import { areSameMisses } from '../../journal/text/repeated-misses.ts';
import { findOutcome, canBeRequested } from '../../outcomes/catalogue.ts';
import {
  canApplyAt,
  findObstacle,
  type OutcomeChoice,
  type Decision,
  type DecisionPoint,
  type NearMiss,
} from '../../outcomes/decide/decision.ts';
import { applyParams } from '../../outcomes/decide/params.ts';
import type { Facts } from '../../outcomes/rules/facts.ts';
import { includesOperation } from '../../outcomes/rules/rule.ts';
import {
  unappliedMockHeader,
  unappliedOutcomeHeader,
  readMockResponse,
  readOutcomeHeader,
  typedParams,
  type UnappliedHeader,
} from '../../outcomes/triggers/headers.ts';
import { findOutcomeByAmount, findOutcomeByName } from '../../outcomes/triggers/magic-values.ts';
import { findParameterProblem } from '../../scenarios/check/check-outcomes.ts';
import { didYouMeanOutcome } from '../../outcomes/nearest-outcome.ts';
import type { World } from '../../world/world.ts';
import type { ForcingSettings, RequestContext } from '../context.ts';
import type { Refusal } from '../reply.ts';
import type { Exchange } from '../exchange.ts';
import { ForcedDecision } from './apply-outcome.ts';
import { RequestFacts } from './request-facts.ts';

/** A request with a known merchant and operation. Outcomes can be forced only on such requests. */
type ForcibleContext = RequestContext & {
  readonly world: World;
  readonly exchange: { readonly operation: OperationName };
};

/**
 * Decides on a request, and consumes the rules that fire. `change` is the planned change. Returns `undefined` if
 * nothing is forced, and a refusal if a header names an unknown outcome.
 */
export function decideOutcome(
  context: RequestContext,
  point: DecisionPoint,
  change?: Change,
): ForcedDecision | Refusal | undefined {
  if (!isForcible(context)) return undefined;
  const { world, exchange, service } = context;
  const read = readForcingHeader(context, point);
  if (read !== undefined && 'kind' in read) return read;
  if (read !== undefined && 'nearMiss' in read) {
    exchange.headerCannotApply = true;
    noteNearMisses(exchange, [read.nearMiss]);
  }
  const header = read !== undefined && 'outcome' in read ? read : undefined;
  const magic =
    point === 'before-commit' ? readMagicValues(context, change, service.forcing) : undefined;
  if (!world.ruleBook.isEmpty || header !== undefined || magic !== undefined) {
    const decision = world.ruleBook.decide(new RequestFacts(context), point, { header, magic });
    noteNearMisses(exchange, decision.nearMisses);
    if (!isEmpty(decision)) return new ForcedDecision(decision);
  }
  if (point === 'before-commit' && service.worlds.hasWaiting) noteRuleElsewhere(context);
  return undefined;
}

/** Notes a rule of another merchant that would have matched. Often a rule was armed for the wrong one. */
function noteRuleElsewhere(context: ForcibleContext): void {
  const { exchange, world, service } = context;
  const found = service.worlds.findRuleElsewhere(world.merchant, new RequestFacts(context));
  if (found === undefined) return;
  const { rule, merchant } = found;
  const why = `it is a rule of merchant ${merchant}, and this is ${world.merchant}`;
  noteNearMisses(exchange, [{ rule, why, merchant }]);
}

/** Whether the merchant and the operation of a request are known. */
export function isForcible(context: RequestContext): context is ForcibleContext {
  return context.world !== undefined && context.exchange.operation !== undefined;
}

function isEmpty({ domain, transport, dialects }: Decision): boolean {
  return domain === undefined && transport === undefined && dialects.length === 0;
}

/** Adds near misses. A rule may be checked several times for a request; its latest reason replaces the earlier ones. */
function noteNearMisses(exchange: Exchange, now: readonly NearMiss[]): void {
  const before = exchange.nearMisses;
  if (now.length === 0) return;
  if (before.length === 0 || areSameMisses(before, now)) {
    exchange.nearMisses = now;
    return;
  }
  const repeated = new Set(now.map(({ rule }) => rule));
  exchange.nearMisses = [...before.filter(({ rule }) => !repeated.has(rule)), ...now];
}

function readForcingHeader(
  context: ForcibleContext,
  point: DecisionPoint,
): OutcomeChoice | UnappliedHeader | Refusal | undefined {
  const { transport } = context;
  const own = transport.header('sandbox-outcome');
  const mock = own === undefined ? transport.header('paypal-mock-response') : undefined;
  if (own === undefined && mock === undefined) return undefined;
  const facts = new RequestFacts(context);
  return own === undefined ? readMockHeader(mock ?? '', facts) : readOwnHeader(own, point, facts);
}

/**
 * Reads `PayPal-Mock-Response`. As on the real service, an unknown code changes nothing (contract.md §7), but the
 * answer reports it. Of several outcomes with the error name, the first one that can apply to this request is taken.
 */
function readMockHeader(header: string, facts: Facts): OutcomeChoice | UnappliedHeader {
  const read = readMockResponse(header);
  if ('nearMiss' in read) return read;
  return (
    read
      .filter(({ operations }) => includes(operations, facts))
      .map((outcome): OutcomeChoice => ({ outcome, params: {}, by: 'header', rule: undefined }))
      .find((chosen) => findObstacle(chosen, facts) === undefined) ??
    unappliedMockHeader(`${facts.operation} has no such error`)
  );
}

/**
 * Reads `Sandbox-Outcome`. An unknown id is refused. An outcome that cannot apply to this request changes nothing, and
 * the answer reports it.
 */
function readOwnHeader(
  header: string,
  point: DecisionPoint,
  facts: Facts,
): OutcomeChoice | UnappliedHeader | Refusal {
  const read = readOutcomeHeader(header);
  const outcome = read && findOutcome(read.outcome);
  if (read === undefined || outcome === undefined) {
    return cannotForce(`It names no outcome.${didYouMeanOutcome(read?.outcome ?? '')}`);
  }
  if (!canBeRequested(outcome)) {
    return cannotForce(
      `"${outcome.id}" needs more than one request, applies to every merchant, or occurs by itself. Use a rule for it, or send the requests that lead to it.`,
    );
  }
  const params = typedParams(outcome, read.params);
  for (const [name, value] of Object.entries(params)) {
    const fault = findParameterProblem(outcome, name, value);
    if (fault !== undefined) return cannotForce(`${name}: ${fault}`);
  }
  if (!includes(outcome.operations, facts)) {
    return unappliedOutcomeHeader(`${facts.operation} cannot have ${outcome.id}`);
  }
  const chosen: OutcomeChoice = {
    outcome: applyParams(outcome, params),
    params,
    by: 'header',
    rule: undefined,
  };
  // Before that point, too little of the request is known to decide.
  const why = canApplyAt(outcome, point) ? findObstacle(chosen, facts) : undefined;
  return why === undefined ? chosen : unappliedOutcomeHeader(why);
}

function cannotForce(text: string): Refusal {
  return {
    kind: 'outcome-unknown',
    reason: `The header Sandbox-Outcome cannot be applied. ${text}`,
    public: text,
  };
}

function includes(
  operations: readonly Parameters<typeof includesOperation>[0][],
  { operation, writes }: Pick<Facts, 'operation' | 'writes'>,
): boolean {
  return operations.some((pattern) => includesOperation(pattern, operation, writes));
}

type MagicValue = readonly [OutcomeChoice['by'], string | undefined];

/** The outcome that the cardholder's name, the card number or the amount triggers. */
function readMagicValues(
  { world, exchange: { operation }, params, writes }: ForcibleContext,
  change: Change | undefined,
  { magicAmounts }: ForcingSettings,
): OutcomeChoice | undefined {
  if (operation === 'card.create') return readMagicCard(change);
  const payment = findPaymentOf(world, operation, params, change);
  if (payment === undefined) return undefined;
  const { instrument, transaction } = payment;
  const holder = instrument.kind === 'token' ? instrument : instrument.face;
  const values: readonly MagicValue[] = [
    ['name', findOutcomeByName(holder.firstName, holder.lastName)],
    ['card', holder.triggeredOutcome],
    ['amount', magicAmounts ? findOutcomeByAmount(transaction.amount.minor) : undefined],
  ];
  for (const [by, id] of values) {
    const outcome = id === undefined ? undefined : findOutcome(id);
    if (outcome !== undefined && includes(outcome.operations, { operation, writes })) {
      return { outcome, params: {}, by, rule: undefined };
    }
  }
  return undefined;
}

/**
 * The outcome that a stored card triggers. Only later events of the card apply here; other outcomes apply when the card
 * pays.
 */
function readMagicCard(change: Change | undefined): OutcomeChoice | undefined {
  const write = change?.writes.find((one) => one.table === 'cards' && 'record' in one);
  if (write === undefined || !('record' in write) || write.table !== 'cards') return undefined;
  const { firstName, lastName, triggeredOutcome } = write.record;
  const values: readonly MagicValue[] = [
    ['name', findOutcomeByName(firstName, lastName)],
    ['card', triggeredOutcome],
  ];
  for (const [by, id] of values) {
    const outcome = id === undefined ? undefined : findOutcome(id);
    if (outcome?.effect.kind === 'card') return { outcome, params: {}, by, rule: undefined };
  }
  return undefined;
}

/** Finds the payment that a request would create, or the one that it refunds. */
function findPaymentOf(
  world: World,
  operation: OperationName,
  params: RequestContext['params'],
  change: Change | undefined,
): Payment | undefined {
  switch (operation) {
    case 'payment.create': {
      const write = change?.writes.find((one) => one.table === 'payments' && 'record' in one);
      return write?.table === 'payments' ? write.record : undefined;
    }
    case 'sale.refund':
    case 'capture.refund': {
      const source =
        world.sales.get(params['sale_id'] ?? '') ?? world.captures.get(params['capture_id'] ?? '');
      return source && world.payments.get(source.paymentId);
    }
    default:
      return undefined;
  }
}
