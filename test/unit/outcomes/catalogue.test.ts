/** The catalogue is consistent: the names in it exist, and its columns agree. */
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { operationNames, operations } from '../../../src/contract/service/operations.ts';
import { serviceProblems } from '../../../src/contract/problems.ts';
import { brandOf, passesLuhn } from '../../../src/domain/card/brand.ts';
import {
  catalogue,
  checkedCatalogue,
  findOutcome,
  outcomeIds,
} from '../../../src/outcomes/catalogue.ts';
import type { OperationPattern, Outcome } from '../../../src/outcomes/outcome.ts';
import { includesOperation } from '../../../src/outcomes/rules/rule.ts';
import { readText } from '../../support/repository/source-files.ts';
import {
  commitsOf,
  documentedNames,
  expectedConclusion,
  fits,
  placesOf,
  tier1,
} from './catalogue-rules.ts';

const takenIn = (patterns: readonly OperationPattern[]): readonly OperationName[] =>
  operationNames.filter((name) =>
    patterns.some((pattern) => includesOperation(pattern, name, operations[name].method !== 'get')),
  );

const membersOf = ({ effect }: Outcome): readonly string[] | undefined =>
  effect.kind === 'series' || effect.kind === 'choice' ? effect.of : undefined;

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

/** Returns the ids of outcomes that break a rule, for the message of a failing test. */
function breaking(rule: (outcome: Outcome) => boolean): readonly string[] {
  return catalogue.filter((outcome) => !rule(outcome)).map(({ id }) => id);
}

describe('ids', () => {
  it('are unique and in kebab case', () => {
    expect(outcomeIds.filter((id) => !/^[a-z]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(repeated(outcomeIds)).toEqual([]);
  });

  it('are the members of the type OutcomeId', () => {
    const written = readText('src/outcomes/outcome-ids.ts').matchAll(/^ {2}'?([\w-]+)'?: true;/gm);
    expect([...written].map(([, id]) => id)).toEqual(outcomeIds);
  });

  it('find their outcomes, and unknown ids find none', () => {
    expect(outcomeIds.map((id) => findOutcome(id))).toEqual(catalogue);
    expect(findOutcome('lost-crad')).toBeUndefined();
    expect(() => checkedCatalogue.get('lost-crad')).toThrow('Unknown outcome "lost-crad".');
  });

  it('include exactly the documented outcomes of tier 1', () => {
    const ids = catalogue.filter(({ tier }) => tier === 1).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(tier1.toSorted());
    expect(ids).toHaveLength(80);
  });

  it('include 64 of 65 outcomes of tier 2, 19 of 20 of tier 3, error-by-name and slow-before-commit', () => {
    expect(
      catalogue.filter(({ tier, id }) => tier === 2 && id !== 'slow-before-commit'),
    ).toHaveLength(64);
    const tier3 = catalogue.filter(({ tier, id }) => tier === 3 && id !== 'error-by-name');
    expect(tier3).toHaveLength(19);
  });
});

describe('triggers', () => {
  it('are unique, and each outcome has one', () => {
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

  it('are Visa numbers with a valid check digit if they are cards', () => {
    const wrong = catalogue
      .flatMap(({ cards = [] }) => cards)
      .filter((pan) => pan.length !== 16 || !passesLuhn(pan) || brandOf(pan) !== 'visa');
    expect(wrong).toEqual([]);
  });

  it('are two digits if they are amounts', () => {
    const cents = catalogue.flatMap((outcome) => outcome.cents ?? []);
    expect(cents.filter((ending) => !/^\d\d$/.test(ending))).toEqual([]);
  });

  it('include armed rules for every outcome that scenarios can force', () => {
    expect(
      breaking(({ triggers }) => triggers.includes('armed') === triggers.includes('scenario')),
    ).toEqual([]);
  });

  it('are only natural for outcomes without an effect', () => {
    expect(
      breaking(({ triggers, effect, phase }) => {
        const unforced = triggers.every((trigger) => trigger === 'natural' || trigger === 'time');
        return unforced === (effect.kind === 'none') && unforced === (phase === 'natural');
      }),
    ).toEqual([]);
  });
});

describe('effects', () => {
  it('belong to operations that exist', () => {
    expect(
      breaking(
        (outcome) =>
          outcome.operations.length > 0 &&
          outcome.operations.every((pattern) => takenIn([pattern]).length > 0),
      ),
    ).toEqual([]);
  });

  it('fit their operations', () => {
    expect(
      breaking((outcome) => {
        const places = placesOf[outcome.effect.kind];
        return (
          places === undefined || takenIn(outcome.operations).every((name) => places.includes(name))
        );
      }),
    ).toEqual([]);
  });

  it('carry error names of the contract; one is new on purpose', () => {
    const known = new Set<string>([
      ...Object.values(serviceProblems).map(({ name }) => name),
      ...documentedNames,
    ]);
    expect(breaking(({ effect }) => effect.kind !== 'error' || known.has(effect.name))).toEqual([
      'new-error-name',
    ]);
  });

  it('have one status for each error name, except gateway errors', () => {
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

  it('name simple outcomes, and start with one, if they have several', () => {
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

  it('apply in the phase of the first of several outcomes', () => {
    expect(
      breaking((outcome) => {
        const [first] = membersOf(outcome) ?? [];
        return first === undefined || checkedCatalogue.get(first).phase === outcome.phase;
      }),
    ).toEqual([]);
  });
});

describe('phases', () => {
  it('agree with the commit column', () => {
    expect(
      breaking((outcome) => {
        const varies = membersOf(outcome) !== undefined || 'phase' in outcome.parameters;
        if (varies) return outcome.commit === 'mixed';
        // The ledger contains no tokens.
        if (outcome.effect.kind === 'token-lifetime') return outcome.commit === 'as-normal';
        return commitsOf[outcome.phase].includes(outcome.commit);
      }),
    ).toEqual([]);
  });

  it('agree with the conclusion column', () => {
    expect(breaking((outcome) => outcome.concludes === expectedConclusion(outcome))).toEqual([]);
  });

  it('exist before and after the commit for equal responses', () => {
    const early = catalogue.filter(
      ({ id }) =>
        id.endsWith('-before-commit') && findOutcome(id.replace('before', 'after')) !== undefined,
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

  it('allow a conclusion only if the outcome is known', () => {
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

  it('have the value in the effect as their default if they set a member of it', () => {
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

  it('have the same meaning in every outcome', () => {
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

describe('texts', () => {
  it('exist, and advice consists of sentences', () => {
    expect(breaking(({ response }) => response !== '' && !response.endsWith('.'))).toEqual([]);
    expect(
      breaking(
        ({ cause, correctClient }) => /^\S.*\.$/.test(cause) && /^\S.*\.$/.test(correctClient),
      ),
    ).toEqual([]);
  });
});
