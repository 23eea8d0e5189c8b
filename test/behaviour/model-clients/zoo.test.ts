/** The zoo: right clients that no verdict may blame, and wrong ones that each verdict must find. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/verdict/evidence/group-by.ts';
import { expectPart, table } from '../../support/repository/documentation.ts';
import { root } from '../../support/repository/source-files.ts';
import { onEveryTransport, onTransportsOfThisRun } from '../../support/transports.ts';
import { forcible, operationsOf } from '../forcing/catalogue/request-plans.ts';
import { onTestTime } from '../verdict/support/payment-attempts.ts';
import type { Forced } from './zoo/client.ts';
import { force } from './zoo/force.ts';
import { rightClients } from './zoo/right/right-clients.ts';
import { wrongClients } from './zoo/wrong/wrong-clients.ts';
import { ShopCode } from './zoo/shop-code.ts';

/** `ZOO=all` runs each right client with every outcome of the operations that its own outcomes name. */
const isFull = process.env['ZOO'] === 'all';

const right = Object.values(rightClients).flatMap((clients) => Object.entries(clients));

/** Every outcome of the operations of these outcomes: once, nine times, and on the second request. */
function everyOutcomeOf(meets: readonly Forced[]): Forced[] {
  const ops = new Set(meets.map(({ op }) => op));
  return forcible
    .filter(({ effect, id }) => effect.kind !== 'refuse-connections' && id !== 'real-card-refused')
    .flatMap((outcome) =>
      operationsOf(outcome)
        .filter((op) => ops.has(op))
        .flatMap((op): Forced[] => [
          { op, outcome: outcome.id },
          { op, outcome: outcome.id, times: 9 },
          { op, outcome: outcome.id, nth: 2 },
        ]),
    );
}

/** What happens to each client in the walk through every outcome. Without `ZOO=all`, the clients take turns. */
const walk = groupBy(sampled(), ({ name }) => name);

function sampled() {
  const all = right.flatMap(([name, { meets }]) =>
    everyOutcomeOf(meets).map((forced) => ({ name, forced })),
  );
  if (isFull) return all;
  return [...groupBy(all, ({ forced }) => nameOf(forced)).values()].flatMap(
    (ofOutcome, at) => ofOutcome[at % ofOutcome.length] ?? [],
  );
}

function nameOf({ op, outcome, times = 1, nth }: Forced): string {
  return `${outcome} on ${op}${times > 1 ? ` ×${times}` : ''}${nth === undefined ? '' : `, request ${nth}`}`;
}

/** What the verdicts said of each client, for the tables of the README. */
const rightResults = new Map<string, Set<string>>();
const wrongResults = new Map<string, Set<string>>();

function note(results: Map<string, Set<string>>, name: string, words: readonly string[]): void {
  const known = results.get(name) ?? new Set<string>();
  for (const word of words) known.add(word);
  results.set(name, known);
}

const notTheirs = /not the client's doing|could not prevent this duplicate/;

onTransportsOfThisRun(
  'a right client',
  (transport) => {
    describe.each(right)('%s', (name, { meets, undoesTwins = false, run }) => {
      const own = [undefined, ...meets].map((forced) => ({ forced, isOwn: true }));
      const others = (walk.get(name) ?? []).map(({ forced }) => ({ forced, isOwn: false }));
      it.each(
        [...own, ...others].map(
          ({ forced, isOwn }) =>
            [
              `${forced === undefined ? 'nothing' : nameOf(forced)}${isOwn ? '' : ', in the walk'}`,
              forced,
              isOwn,
            ] as const,
        ),
      )('is not blamed with %s', async (__, forced, isOwn) => {
        const shop = transport.shop();
        if (forced !== undefined) force(shop, forced);
        const beliefs = (await run(new ShopCode(shop))) ?? {};
        const { findings, reasons } = await shop.merchant.verdict({
          beliefs,
          allowUnfired: true,
        });
        // With every outcome there are more cases than merchants that a sandbox keeps.
        transport.sandbox.deleteMerchant(shop.merchant.id);
        const blamed = findings.filter(
          ({ severity, what, remedy }) =>
            !['low', 'info'].includes(severity) && (undoesTwins || !notTheirs.test(what + remedy)),
        );
        const notItsDoing = findings.filter((one) => notTheirs.test(one.what + one.remedy));
        if (isOwn) {
          note(
            rightResults,
            name,
            notItsDoing.map(({ rule }) => rule),
          );
        }
        const words = blamed.map(({ rule, severity, what }) => `${severity} ${rule}: ${what}`);
        expect(words, words.join(' | ')).toEqual([]);
        expect(reasons.filter(({ kind }) => kind !== 'finding')).toEqual([]);
      });
    });
  },
  onTestTime,
);

const rightNames = right.map(([name]) => name);

onEveryTransport(
  'a wrong client',
  (transport) => {
    it.each(Object.values(wrongClients).flatMap((clients) => Object.entries(clients)))(
      'is found: %s',
      async (name, { meets = [], found, isRemark = false, beside, run }) => {
        const shop = transport.shop();
        for (const forced of meets) force(shop, forced);
        const beliefs = (await run(new ShopCode(shop))) ?? {};
        const { passed, findings, reasons } = await shop.merchant.verdict({ beliefs });
        const seen = [
          ...findings.map(({ rule }) => rule),
          ...reasons.filter(({ kind }) => kind === 'belief').map(({ kind }) => kind),
        ];
        const finding = findings.find(({ rule }) => rule === found);
        note(wrongResults, name, [
          `${found === 'belief' ? 'belief' : `\`${found}\` ${finding?.severity ?? ''}`}${passed ? '' : ', fails'}`,
        ]);
        const words = findings.map(({ rule, severity }) => `${severity} ${rule}`).join(', ');
        expect(seen, words).toContain(found);
        expect([passed, reasons.map(({ kind }) => kind)], words).toEqual([
          isRemark,
          expect.anything(),
        ]);
        expect(reasons.map(({ kind }) => kind)).not.toContain('unfired-rule');
        expect(rightNames).toContain(beside);
      },
    );
  },
  onTestTime,
);

const page = join(root, 'test', 'behaviour', 'model-clients', 'zoo', 'README.md');

it.skipIf(isFull)(
  'matches the tables of the zoo in the README (UPDATE_DOCS=1 rewrites them)',
  () => {
    const rows = right.map(([name, { about, meets }]) => [
      name,
      about,
      String(meets.length),
      [...(rightResults.get(name) ?? [])].map((rule) => `\`${rule}\``).join(', ') || '–',
    ]);
    expectPart(
      page,
      'zoo-right',
      table(
        ['Right client', 'What it does', 'Outcomes', 'Found, and said not to be its doing'],
        rows,
      ),
    );
    const wrong = Object.values(wrongClients).flatMap((clients) =>
      Object.entries(clients).map(([name, { about, meets = [], beside }]) => [
        name,
        about,
        meets.map(nameOf).join('; ') || '–',
        [...(wrongResults.get(name) ?? [])].join('; '),
        beside,
      ]),
    );
    expectPart(
      page,
      'zoo-wrong',
      table(
        ['Wrong client', 'What it does wrong', 'What happens', 'Verdict', 'Nearest right client'],
        wrong,
      ),
    );
  },
);
