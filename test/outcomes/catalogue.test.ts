/** The catalogue holds together: what it names exists, and its columns do not contradict one another. */
import { describe, expect, it } from 'vitest';
import { operationNames, operations, type OperationName } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { fitsBrand, passesLuhn } from '../../src/domain/brand.ts';
import {
  catalogue,
  checkedCatalogue,
  outcomeById,
  outcomeIds,
} from '../../src/outcomes/catalogue.ts';
import type {
  Commit,
  Conclusion,
  Effect,
  Outcome,
  Parameter,
  Phase,
} from '../../src/outcomes/outcome.ts';
import { takesIn } from '../../src/outcomes/rule.ts';
import { readSpanMs } from '../../src/outcomes/span.ts';

/** Needed for a first useful release, webhooks apart. */
const tier1 = [
  'decline-generic',
  'decline-do-not-honor',
  'decline-insufficient-funds',
  'decline-lost-or-stolen',
  'decline-suspected-fraud',
  'decline-card-expired-at-issuer',
  'decline-processing-error',
  'decline-unknown-error-400',
  'declined-inside-201',
  'store-ok-pay-declines',
  'soft-decline-then-approve',
  'cvv-mismatch-declined',
  'card-input-expired',
  'card-luhn-invalid',
  'real-card-refused',
  'vault-entry-expired',
  'card-expired-since-stored',
  'external-id-missing',
  'external-id-mismatch',
  'card-unknown',
  'card-deleted',
  'card-delete-twice',
  'validation-missing-field',
  'amount-format-invalid',
  'malformed-request',
  'replay-same-request',
  'request-id-conflict',
  'request-in-progress',
  'request-id-ignored',
  'duplicate-invoice',
  'executed-twice-by-proxy',
  'token-missing',
  'token-invalid',
  'token-expired',
  'token-expires-mid-flow',
  'token-endpoint-down',
  'client-credentials-bad',
  'permission-denied',
  'rate-limited-seconds',
  'rate-limited-no-header',
  'maintenance-window',
  'partial-outage-payments',
  'brownout',
  'latency-degraded',
  'error-500-before-commit',
  'error-500-after-commit',
  'error-502-before-commit',
  'error-502-after-commit',
  'error-503-before-commit',
  'error-504-after-commit',
  'error-then-ok',
  'error-forever',
  'connect-refused',
  'reset-before-commit',
  'reset-after-commit',
  'close-after-commit',
  'keepalive-race',
  'hang-before-commit',
  'hang-after-commit',
  'slow-first-byte',
  'slow-dribble',
  'truncated-body',
  'truncated-json',
  'html-instead-of-json-200',
  'html-error-page',
  'empty-body-200',
  'created-not-visible-yet',
  'timestamp-precision-varies',
  'sale-pending-then-completed',
  'sale-pending-then-denied',
  'sale-reversed-later',
  'chargeback-opened-won-lost',
  'refund-pending-then-completed',
  'refund-failed-later',
  'refund-exceeds-sale',
  'refund-already-done',
  'auth-expired',
  'unknown-field-added',
  'unknown-enum-value',
  'new-error-name',
];

/** Names of contract.md §4.2 and §5.5 that no state of this sandbox leads to. */
const documentedNames = new Set([
  'AMOUNT_MISMATCH',
  'COMPLIANCE_VIOLATION',
  'CREDIT_CARD_CVV_CHECK_FAILED',
  'CREDIT_CARD_REFUSED',
  'INSTRUMENT_DECLINED',
  'INVALID_CITY_STATE_ZIP',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'NOT_IMPLEMENTED',
  'PAYEE_ACCOUNT_RESTRICTED',
  'PAYER_ACTION_REQUIRED',
  'PAYMENT_ALREADY_DONE',
  'PERMISSION_DENIED',
  'RATE_LIMIT_REACHED',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'REQUIRED_SCOPE_MISSING',
  'SERVICE_UNAVAILABLE',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_REFUSED',
  'TRANSACTION_REFUSED_PAYEE_PREFERENCE',
  'UNKNOWN_ERROR',
]);

/** What the ledger may hold after an outcome of each phase; a member of a series or a choice says it for itself. */
const commitsOf: Readonly<Record<Phase, readonly Commit[]>> = {
  natural: ['never', 'committed', 'replay', 'as-normal'],
  'before-read': ['never'],
  'before-commit': ['never'],
  'after-commit': ['committed', 'twice', 'deferred'],
  answer: ['as-normal'],
  later: ['deferred'],
};

/** Refused, and yet what the client wanted is done: the card is gone, the money is paid or given back. */
const doneAlready = new Set(['card-delete-twice', 'payment-already-done', 'refund-already-done']);

/** Where a kind of effect makes sense; the other kinds do everywhere. */
const placesOf: Partial<Record<Effect['kind'], readonly OperationName[]>> = {
  'token-error': ['token.create'],
  'token-lifetime': ['token.create'],
  unauthenticated: operationNames.filter((name) => name !== 'token.create'),
  payment: ['payment.create'],
  later: ['payment.create'],
  refund: ['sale.refund', 'capture.refund'],
  twice: ['payment.create', 'sale.refund', 'capture.refund'],
  'ignore-request-id': ['payment.create', 'card.create'],
  'not-visible-yet': ['card.get', 'payment.get', 'sale.get', 'payment.create'],
};

const operationsOf = (outcome: Outcome): readonly OperationName[] =>
  operationNames.filter((name) =>
    outcome.operations.some((pattern) => takesIn(pattern, name, operations[name].method !== 'get')),
  );

const membersOf = ({ effect }: Outcome): readonly string[] | undefined =>
  effect.kind === 'series' || effect.kind === 'choice' ? effect.of : undefined;

/** What a client can tell from the wire form alone. */
function expectedConclusion(outcome: Outcome): Conclusion {
  const { effect, phase, commit, id } = outcome;
  switch (effect.kind) {
    case 'none':
      return commit === 'never' && !doneAlready.has(id) ? 'FAIL' : 'OK';
    case 'error':
      if (doneAlready.has(id)) return 'OK';
      if (phase === 'after-commit' || effect.status === 409) return 'UNKNOWN';
      // A server error hides whether the work was done, unless the service says that it did not begin.
      if (effect.status === 501 || (effect.status === 503 && phase === 'before-read'))
        return 'FAIL';
      return effect.status >= 500 ? 'UNKNOWN' : 'FAIL';
    case 'unauthenticated':
    case 'token-error':
    case 'refuse-connections':
      return 'FAIL';
    case 'page':
      return 'UNKNOWN';
    case 'fault':
      if (effect.fault === 'redirect') return 'FAIL';
      return ['slow-first-byte', 'varying-delay', 'slow-dribble', 'wrong-content-type'].includes(
        effect.fault,
      )
        ? 'OK'
        : 'UNKNOWN';
    case 'payment':
      if (effect.bend.sale === 'denied') return 'FAIL';
      return effect.bend.sale === 'pending' ? 'UNKNOWN' : 'OK';
    case 'refund':
      return 'UNKNOWN';
    case 'dialect':
      return effect.dialect === 'unknown-enum' ? 'UNKNOWN' : 'OK';
    case 'later':
    case 'not-visible-yet':
      return 'READ';
    case 'twice':
    case 'ignore-request-id':
    case 'token-lifetime':
      return 'OK';
    case 'series':
    case 'choice':
      return checkedCatalogue.get(effect.of[0] ?? '').concludes;
  }
}

function fits({ type, oneOf }: Parameter, value: string | number): boolean {
  if (oneOf !== undefined && !oneOf.includes(value)) return false;
  switch (type) {
    case 'ms':
    case 'duration':
      return readSpanMs(value) !== undefined;
    case 'count':
    case 'bytes':
    case 'seconds':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'text':
      return typeof value === 'string';
  }
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

/** The ids of the outcomes that break a rule: a list that a failing test shows. */
function breaking(rule: (outcome: Outcome) => boolean): readonly string[] {
  return catalogue.filter((outcome) => !rule(outcome)).map(({ id }) => id);
}

describe('ids', () => {
  it('are in kebab case, and each is used once', () => {
    expect(outcomeIds.filter((id) => !/^[a-z]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(repeated(outcomeIds)).toEqual([]);
  });

  it('lead to their outcomes, and unknown ones to none', () => {
    expect(outcomeIds.map((id) => outcomeById(id))).toEqual(catalogue);
    expect(outcomeById('lost-crad')).toBeUndefined();
    expect(() => checkedCatalogue.get('lost-crad')).toThrow('No outcome has the id "lost-crad".');
  });

  it('hold all of tier 1 and nothing else in it', () => {
    const ids = catalogue.filter(({ tier }) => tier === 1).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(tier1.toSorted());
    expect(ids).toHaveLength(80);
  });

  it('count 0 of tier 2 and 0 of tier 3', () => {
    expect(catalogue.filter(({ tier }) => tier === 2)).toHaveLength(0);
    expect(catalogue.filter(({ tier }) => tier === 3)).toHaveLength(0);
  });
});

describe('triggers', () => {
  it('are named once each, and there is one at least', () => {
    expect(
      breaking(({ triggers }) => triggers.length > 0 && repeated(triggers).length === 0),
    ).toEqual([]);
  });

  it.each([
    ['card', 'cards'],
    ['name', 'names'],
    ['amount', 'cents'],
  ] as const)(
    'say %s exactly where there are %s, and none of those asks for two outcomes',
    (trigger, values) => {
      expect(
        breaking(
          (outcome) => outcome.triggers.includes(trigger) === (outcome[values] ?? []).length > 0,
        ),
      ).toEqual([]);
      expect(repeated(catalogue.flatMap((outcome) => outcome[values] ?? []))).toEqual([]);
    },
  );

  it('by card are Visa numbers that pass the check for typing mistakes', () => {
    const wrong = catalogue
      .flatMap(({ cards = [] }) => cards)
      .filter((pan) => pan.length !== 16 || !passesLuhn(pan) || !fitsBrand(pan, 'visa'));
    expect(wrong).toEqual([]);
  });

  it('by amount are two digits', () => {
    const cents = catalogue.flatMap((outcome) => outcome.cents ?? []);
    expect(cents.filter((ending) => !/^\d\d$/.test(ending))).toEqual([]);
  });

  it('are armed wherever a scenario can name the outcome', () => {
    expect(
      breaking(({ triggers }) => triggers.includes('armed') === triggers.includes('scenario')),
    ).toEqual([]);
  });

  it('leave to real state, and to it alone, what has no effect to force', () => {
    expect(
      breaking(({ triggers, effect, phase }) => {
        const unforced = triggers.every((trigger) => trigger === 'natural' || trigger === 'time');
        return unforced === (effect.kind === 'none') && unforced === (phase === 'natural');
      }),
    ).toEqual([]);
  });
});

describe('effects', () => {
  it('are for operations that exist', () => {
    expect(
      breaking((outcome) =>
        outcome.operations.every((pattern) =>
          operationNames.some((name) => takesIn(pattern, name, operations[name].method !== 'get')),
        ),
      ),
    ).toEqual([]);
  });

  it('fit their operations', () => {
    expect(
      breaking((outcome) => {
        const places = placesOf[outcome.effect.kind];
        return places === undefined || operationsOf(outcome).every((name) => places.includes(name));
      }),
    ).toEqual([]);
  });

  it('carry error names of the contract; one is new on purpose', () => {
    const known = new Set<string>([
      ...Object.values(problems).map(({ name }) => name),
      ...documentedNames,
    ]);
    expect(breaking(({ effect }) => effect.kind !== 'error' || known.has(effect.name))).toEqual([
      'new-error-name',
    ]);
  });

  it('tell an error name by one status, gateways apart', () => {
    const statuses = new Map<string, number>();
    expect(
      breaking(({ effect }) => {
        if (effect.kind !== 'error' || effect.status === 502 || effect.status === 504) return true;
        const first = statuses.get(effect.name) ?? effect.status;
        statuses.set(effect.name, first);
        return first === effect.status;
      }),
    ).toEqual([]);
  });

  it('made of other outcomes name simple ones, and begin with one', () => {
    expect(
      breaking((outcome) => {
        const members = membersOf(outcome);
        return (
          members === undefined ||
          (members[0] !== 'ok' &&
            members
              .filter((id) => id !== 'ok')
              .every((id) => membersOf(checkedCatalogue.get(id)) === undefined))
        );
      }),
    ).toEqual([]);
  });

  it('made of other outcomes step in where the first of them does', () => {
    expect(
      breaking((outcome) => {
        const [first] = membersOf(outcome) ?? [];
        return first === undefined || checkedCatalogue.get(first).phase === outcome.phase;
      }),
    ).toEqual([]);
  });
});

describe('phases', () => {
  it('agree with what the ledger holds', () => {
    expect(
      breaking((outcome) => {
        const varies = membersOf(outcome) !== undefined || 'phase' in outcome.parameters;
        if (varies) return outcome.commit === 'mixed';
        // A token is in no ledger.
        if (outcome.effect.kind === 'token-lifetime') return outcome.commit === 'as-normal';
        return commitsOf[outcome.phase].includes(outcome.commit);
      }),
    ).toEqual([]);
  });

  it('agree with what a client may conclude', () => {
    expect(breaking((outcome) => outcome.concludes === expectedConclusion(outcome))).toEqual([]);
  });

  it('come in pairs that look alike: before the commit and after it', () => {
    const early = catalogue.filter(
      ({ id }) =>
        id.endsWith('-before-commit') && outcomeIds.includes(id.replace('before', 'after')),
    );
    expect(early.length).toBeGreaterThanOrEqual(5);
    for (const before of early) {
      const after = checkedCatalogue.get(before.id.replace('before', 'after'));
      expect([after.effect, after.parameters, after.concludes]).toEqual([
        before.effect,
        before.parameters,
        before.concludes,
      ]);
    }
  });

  it('let a client go on only where nothing is open', () => {
    expect(
      breaking(({ concludes, retry }) => (concludes === 'UNKNOWN' ? retry === 'same-key' : true)),
    ).toEqual([]);
    expect(
      breaking(({ concludes, retry }) => (concludes === 'OK' ? retry === 'not-needed' : true)),
    ).toEqual([]);
    expect(
      breaking(({ concludes, retry }) => (concludes === 'FAIL' ? retry !== 'not-needed' : true)),
    ).toEqual([]);
  });
});

describe('parameters', () => {
  it('have defaults of their type', () => {
    expect(
      breaking(({ parameters }) =>
        Object.values(parameters).every((one) => fits(one, one.default)),
      ),
    ).toEqual([]);
  });

  it('that stand for a member of the effect begin with its value', () => {
    const members = ['status', 'name', 'phase'] as const;
    expect(
      breaking((outcome) => {
        const all: Readonly<Record<string, unknown>> = { ...outcome.effect, phase: outcome.phase };
        return members.every((name) => {
          const parameter = outcome.parameters[name];
          return parameter === undefined || parameter.default === all[name];
        });
      }),
    ).toEqual([]);
  });

  it('mean one thing wherever they stand', () => {
    const types = new Map<string, string>();
    expect(
      breaking(({ parameters }) =>
        Object.entries(parameters).every(([name, { type }]) => {
          const first = types.get(name) ?? type;
          types.set(name, first);
          return first === type;
        }),
      ),
    ).toEqual([]);
  });
});

describe('words', () => {
  it('are there, and are sentences where they give advice', () => {
    expect(breaking(({ wire }) => wire !== '' && !wire.endsWith('.'))).toEqual([]);
    expect(
      breaking(
        ({ cause, correctClient }) => /^\S.*\.$/.test(cause) && /^\S.*\.$/.test(correctClient),
      ),
    ).toEqual([]);
  });
});
