/** The default scenario of a sandbox: every merchant starts with it, also after a reset. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createSandbox,
  OptionError,
  ScenarioError,
  type Merchant,
  type Sandbox,
  type ScenarioDocument,
} from '../../../src/index.ts';
import { rawPaymentBody } from '../../support/samples.ts';

const declining: ScenarioDocument = {
  scenario: 'declining',
  version: 1,
  about: 'Declines.',
  rules: [{ op: 'payment.create', then: 'decline-generic' }],
};

const given = (number: string): ScenarioDocument => ({
  scenario: 'with-a-card',
  version: 1,
  about: 'A card is there.',
  clock: { mode: 'virtual', start: '2026-01-01T00:00:00Z' },
  fixtures: 'empty',
  given: {
    cards: [
      { ref: 'first', number, type: 'visa', expire: '2031-05', first_name: 'A', last_name: 'B' },
    ],
  },
});

async function pay(sandbox: Sandbox, { token }: Pick<Merchant, 'token'>): Promise<string | null> {
  const answer = await sandbox.request('/v1/payments/payment', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(rawPaymentBody()),
  });
  return answer.headers.get('sandbox-outcome');
}

async function cards(sandbox: Sandbox, { token }: Merchant): Promise<unknown[]> {
  const answer = await sandbox.request('/v1/vault/credit-cards', {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { items: unknown[] }).items;
}

describe('the default scenario', () => {
  it('is played by every merchant', async () => {
    const sandbox = createSandbox({ scenario: declining });
    expect(sandbox.about().scenario).toBe('declining');
    for (const id of ['one', 'two']) {
      expect(await pay(sandbox, sandbox.merchant(id))).toBe('decline-generic; by=scenario');
    }
  });

  it('is played again after a reset, even if another one was played before', async () => {
    const sandbox = createSandbox({ scenario: declining });
    const one = sandbox.merchant('one');
    one.playScenario('hang');
    one.reset();
    expect(await pay(sandbox, one)).toBe('decline-generic; by=scenario');
    sandbox.all.reset();
    expect(one.rules()).toMatchObject([{ fired: 0, source: 'scenario' }]);
  });

  it('provides the same cards, clock and fixtures to each merchant', async () => {
    const sandbox = createSandbox({ scenario: given('4111111111111111'), seed: 'x' });
    const one = sandbox.merchant('one');
    expect(one.clock.read()).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
    const before = await cards(sandbox, one);
    expect(before).toHaveLength(1);
    one.reset();
    expect(await cards(sandbox, one)).toEqual(before);
  });

  it('provides its seed for ids of fixtures, too', async () => {
    const card = {
      number: '4111111111111111',
      type: 'visa' as const,
      expire_month: 5,
      expire_year: 2031,
    };
    const cardsOf = async (seed: string, own: string) => {
      const sandbox = createSandbox({
        scenario: { ...declining, seed: own },
        seed,
        clock: { start: '2026-01-01T00:00:00Z' },
        fixtures: { cards: [card] },
      });
      return cards(sandbox, sandbox.merchant('one'));
    };
    const first = await cardsOf('x', 'abc');
    expect(first).toHaveLength(1);
    expect(await cardsOf('y', 'abc')).toEqual(first);
    expect(await cardsOf('x', 'abd')).not.toEqual(first);
  });

  it('is refused at the start if it is invalid', () => {
    expect(() => createSandbox({ scenario: 'lost-answr' })).toThrow(ScenarioError);
    expect(() => createSandbox({ scenario: given('4111111111111112') })).toThrow(ScenarioError);
  });

  it('stays active if another scenario cannot be played', () => {
    const sandbox = createSandbox({ scenario: declining });
    const before = sandbox.rules();
    expect(() => sandbox.playScenario(given('4111111111111112'))).toThrow(ScenarioError);
    expect(sandbox.rules()).toEqual(before);
  });
});

describe('a watched scenario', () => {
  const text = (rules: string) =>
    `scenario: watched\nversion: 1\nabout: Watched.\nrules:\n${rules}`;
  const first = '  - { name: first, op: payment.create, times: 1, then: decline-generic }\n';
  const late = '  - { name: late, op: payment.create, after: +5m, then: decline-velocity }\n';

  function watched(rules: string) {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-watched-'));
    const path = join(folder, 'watched.yaml');
    const save = (more: string): void => writeFileSync(path, text(more));
    save(rules);
    const sandbox = createSandbox({
      scenario: path,
      clock: { start: '2026-01-01T00:00:00Z', frozen: true },
    });
    const heard = { reloads: 0, mistakes: [] as string[] };
    sandbox.watchScenario({
      onReload: () => heard.reloads++,
      onError: ({ lines }) => heard.mistakes.push(...lines),
    });
    onTestFinished(async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    });
    return { sandbox, save, heard };
  }

  it('keeps the counters of unchanged rules and its start time', async () => {
    const { sandbox, save, heard } = watched(first);
    expect(await pay(sandbox, sandbox)).toBe('decline-generic; by=scenario');
    sandbox.clock.advance(600_000);
    save(first + late);
    await vi.waitFor(() => expect(heard.reloads).toBe(1), { timeout: 120_000 });
    expect(sandbox.rules()).toMatchObject([
      { id: 'first', fired: 1 },
      { id: 'late', fired: 0 },
    ]);
    // Five minutes have passed since the scenario started.
    expect(await pay(sandbox, sandbox)).toBe('decline-velocity; by=scenario');
  });

  it('counts a rule separately from an armed rule of the same name', async () => {
    const { sandbox, save, heard } = watched(first);
    sandbox.force({ name: 'late', op: 'payment.create', outcome: 'decline-generic' });
    expect(await pay(sandbox, sandbox)).toBe('decline-generic; by=armed');
    save(first + late);
    await vi.waitFor(() => expect(heard.reloads).toBe(1), { timeout: 120_000 });
    expect(sandbox.rules()).toMatchObject([
      { id: 'late', source: 'armed', fired: 1 },
      { id: 'first', source: 'scenario', fired: 0 },
      { id: 'late', source: 'scenario', fired: 0 },
    ]);
    expect(sandbox.clearRules('late')).toBe(1);
    expect(sandbox.unfired()).toMatchObject([{ id: 'first' }, { id: 'late' }]);
  });

  it('resets the counters of a changed rule', async () => {
    const { sandbox, save, heard } = watched(first);
    await pay(sandbox, sandbox);
    save(first.replace('times: 1', 'times: 2'));
    await vi.waitFor(() => expect(heard.reloads).toBe(1), { timeout: 120_000 });
    expect(sandbox.rules()).toMatchObject([{ id: 'first', fired: 0, times: 2 }]);
  });

  it('changes nothing if the file or a given card is invalid', async () => {
    const { sandbox, save, heard } = watched(first);
    save('  - { op: payment.craete, then: decline-generic }\n');
    await vi.waitFor(() => expect(heard.mistakes).toHaveLength(1), { timeout: 120_000 });
    expect(heard.mistakes[0]).toContain('Did you mean "payment.create"?');
    save(`${first}fixtures: ./none.yaml\n`);
    await vi.waitFor(() => expect(heard.mistakes).toHaveLength(2), { timeout: 120_000 });
    expect(heard.reloads).toBe(0);
    expect(sandbox.merchant('new').rules()).toMatchObject([{ id: 'first' }]);
  });

  it.each([[undefined], ['hang'], [declining]])('must be a file: %j', (scenario) => {
    const sandbox = createSandbox({ scenario });
    expect(() => sandbox.watchScenario({ onError: () => undefined })).toThrow(OptionError);
  });
});
