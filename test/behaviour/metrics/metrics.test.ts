/** What is counted is right, is one sandbox's own, and holds nothing that a client sent. */
import { register, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { metricsType } from '../../../src/contract/control/sandbox.ts';
import { operationNames } from '../../../src/contract/service/operations.ts';
import { connect, createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts';
import { bucketsS } from '../../../src/metrics/traffic.ts';
import { metricRows } from '../../../src/metrics/rows.ts';
import { catalogue } from '../../../src/outcomes/catalogue.ts';
import { onEveryTransport, type TestTransport } from '../../support/transports.ts';
import { Gate } from '../../support/gate.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { readExposition, valueOf, type Family } from './exposition-format.ts';

const rows = Object.values(metricRows);
const [requests, outcomes, seconds] = [
  metricRows.requests.name,
  metricRows.outcomes.name,
  metricRows.duration.name,
];

async function scraped(transport: TestTransport): Promise<ReadonlyMap<string, Family>> {
  const answer = await transport.fetch(`${transport.base}/_sandbox/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(metricsType);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return readExposition(await answer.text());
}

onEveryTransport('GET /_sandbox/metrics', (transport) => {
  it('writes every metric of the table and no other', async () => {
    await transport.shop().send('card.create', { body: cardBody() });
    const families = await scraped(transport);
    expect([...families.values()].map(({ name, help, type }) => ({ name, help, type }))).toEqual(
      expect.arrayContaining(rows.map(({ name, help, type }) => ({ name, help, type }))),
    );
    expect(families.size).toBe(rows.length);
    for (const { name, labels, type } of rows) {
      for (const sample of families.get(name)?.samples ?? []) {
        const known: readonly string[] = type === 'histogram' ? [...labels, 'le'] : labels;
        expect(known, name).toEqual(expect.arrayContaining(Object.keys(sample.labels)));
      }
    }
  });

  it('counts requests by operation and status, also without an operation', async () => {
    const before = await scraped(transport);
    const shop = transport.shop();
    await shop.ask('card.create', 201, { body: cardBody() });
    await shop.ask('card.create', 201, { body: cardBody() });
    await shop.ask('card.create', 400, { body: {} });
    await shop.ask('card.list', 401, { authorization: null });
    await transport.fetch(`${transport.base}/v1/no/such/path`);
    const after = await scraped(transport);
    const more = (operation: string, status: string) =>
      valueOf(after, requests, { operation, status }) -
      valueOf(before, requests, { operation, status });
    expect(more('card.create', '201')).toBe(2);
    expect(more('card.create', '400')).toBe(1);
    expect(more('card.list', '401')).toBe(1);
    expect(more('none', '404')).toBe(1);
    expect(valueOf(after, requests) - valueOf(before, requests)).toBe(5);
  });

  it('counts forced outcomes, and a lost answer by its status', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    shop.merchant.force({ op: 'card.create', outcome: 'error-500-before-commit' });
    const body = JSON.stringify(rawPaymentBody());
    const headers = {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
    };
    await expect(
      transport.fetch(`${transport.base}/v1/payments/payment`, { method: 'POST', headers, body }),
    ).rejects.toThrow('fetch failed');
    const families = await scraped(transport);
    const met = { operation: 'payment.create', outcome: 'reset-after-commit' };
    expect(valueOf(families, outcomes, met)).toBe(1);
    expect(valueOf(families, requests, { operation: 'payment.create', status: '201' })).toBe(1);
    expect(valueOf(families, metricRows.rules.name)).toBe(2);
    expect(valueOf(families, metricRows.rulesUnfired.name)).toBe(1);
  });

  it('shows the same in process and through the client', async () => {
    const families = await scraped(transport);
    const own = readExposition(await transport.sandbox.metrics());
    const { url } = await transport.sandbox.listen({ port: 0 });
    const remote = readExposition(await connect(url).metrics());
    for (const other of [own, remote]) {
      for (const name of [requests, outcomes, seconds]) {
        expect(other.get(name)).toEqual(families.get(name));
      }
    }
  });
});

describe('the counters', () => {
  const sandboxes: Sandbox[] = [];
  const make = (options: SandboxOptions = {}) => {
    const sandbox = createSandbox({ seed: 'metrics', fixtures: 'empty', ...options });
    sandboxes.push(sandbox);
    return sandbox;
  };
  const store = (sandbox: Sandbox, token = sandbox.token, body: object = cardBody()) =>
    sandbox.request('/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const read = async (sandbox: Sandbox) => readExposition(await sandbox.metrics());
  afterEach(async () => {
    await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()));
  });

  it('measures time by its own clock, and fills the right bucket', async () => {
    let nowMs = 5_000;
    let tookMs = 0;
    const monotonicMs = () => {
      nowMs += tookMs;
      return nowMs;
    };
    const sandbox = make({ systemClock: { monotonicMs } });
    for (tookMs of [0.2, 0.3, 7, 60_000, 60_001]) {
      await store(sandbox);
    }
    const families = await read(sandbox);
    const upTo = (le: number | '+Inf') =>
      valueOf(families, `${seconds}_bucket`, { operation: 'card.create', le: String(le) });
    expect(bucketsS.map(upTo)).toEqual([0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4]);
    expect(upTo('+Inf')).toBe(5);
    expect(valueOf(families, `${seconds}_count`, { operation: 'card.create' })).toBe(5);
    expect(valueOf(families, `${seconds}_sum`)).toBeCloseTo(120.0085, 6);
  });

  it('shows held requests, and counts them when they are released', async () => {
    const gate = new Gate();
    const sandbox = make({ hooks: { beforeCommit: gate.pass } });
    const reached = gate.close();
    const answer = store(sandbox);
    await reached;
    const during = await read(sandbox);
    expect(valueOf(during, metricRows.underWay.name)).toBe(1);
    expect(valueOf(during, requests)).toBe(0);
    gate.open();
    await answer;
    const after = await read(sandbox);
    expect(valueOf(after, metricRows.underWay.name)).toBe(0);
    expect(valueOf(after, requests)).toBe(1);
  });

  it('counts an exception once, as a 500', async () => {
    const sandbox = make({
      hooks: {
        afterCommit: () => {
          throw new Error('a bug');
        },
      },
    });
    await store(sandbox);
    const families = await read(sandbox);
    expect(valueOf(families, requests)).toBe(1);
    expect(valueOf(families, requests, { status: '500' })).toBe(1);
    expect(valueOf(families, metricRows.underWay.name)).toBe(0);
  });

  it('keeps its counts through resets, and counts dropped journal entries', async () => {
    const sandbox = make({ limits: { maxJournalEntries: 2 } });
    for (let stored = 0; stored < 5; stored++) {
      await store(sandbox, 'sandbox.gone');
    }
    const before = await read(sandbox);
    expect(valueOf(before, metricRows.journalDropped.name)).toBe(3);
    expect(valueOf(before, metricRows.journalEntries.name)).toBe(2);
    expect(valueOf(before, metricRows.records.name)).toBe(5);
    expect(valueOf(before, metricRows.merchants.name)).toBe(1);
    sandbox.deleteMerchant('gone');
    const after = await read(sandbox);
    expect(valueOf(after, metricRows.journalDropped.name)).toBe(3);
    expect(valueOf(after, requests)).toBe(5);
    expect(valueOf(after, metricRows.journalEntries.name)).toBe(0);
    expect(valueOf(after, metricRows.records.name)).toBe(0);
  });

  it('counts snapshots and their records', async () => {
    const sandbox = make();
    const levels = async () => {
      const families = await read(sandbox);
      return [metricRows.snapshots, metricRows.snapshotRecords].map(({ name }) =>
        valueOf(families, name),
      );
    };
    expect(await levels()).toEqual([0, 0]);
    await store(sandbox);
    sandbox.snapshot('one');
    await store(sandbox);
    sandbox.snapshot('two');
    sandbox.merchant('other').snapshot('none');
    expect(await levels()).toEqual([3, 3]);
    sandbox.snapshot('one');
    expect(await levels()).toEqual([3, 4]);
    sandbox.dropSnapshot('two');
    sandbox.deleteMerchant('other');
    expect(await levels()).toEqual([1, 2]);
  });

  it('counts card numbers that could be real', async () => {
    const sandbox = make({ realCards: 'refuse' });
    await store(sandbox, sandbox.token, { ...cardBody(), number: '4929851042331971' });
    const families = await read(sandbox);
    expect(valueOf(families, metricRows.warnings.name, { kind: 'real-looking-card' })).toBe(1);
  });

  it('counts for one sandbox, and leaves the registry of the importing program unchanged', async () => {
    const [one, other] = [make(), make()];
    await store(one);
    expect(valueOf(await read(one), requests)).toBe(1);
    expect(valueOf(await read(other), requests)).toBe(0);
    expect(register.getMetricsAsArray()).toEqual([]);
  });

  it('shows no text that a client chose', async () => {
    const sandbox = make();
    const hostile = 'evil.shop@"}~1{le=_+';
    const names = ['a', 'b~c', 'x@y', ...Array.from({ length: 30 }, (_, at) => `m${at}`)];
    await Promise.all(names.map((name) => store(sandbox, `sandbox.${name}`)));
    await Promise.all(
      [hostile, '4929851042331971', '\\n"} 1'].flatMap((word) => [
        store(sandbox, word),
        store(sandbox, sandbox.token, { ...cardBody(), type: word, external_customer_id: word }),
        sandbox.request(`/v1/${encodeURIComponent(word)}?x=${encodeURIComponent(word)}`),
        sandbox.request('/v1/vault/credit-cards', { method: 'PROPFIND' }),
        sandbox.request('/v1/vault/credit-cards', {
          headers: { Authorization: `Bearer ${sandbox.token}`, 'Sandbox-Outcome': encodeURI(word) },
        }),
      ]),
    );
    const families = await read(sandbox);
    const words: Readonly<Record<string, ReadonlySet<string>>> = {
      operation: new Set([...operationNames, 'none']),
      outcome: new Set(catalogue.map(({ id }) => id)),
    };
    for (const { name } of [metricRows.requests, metricRows.outcomes, metricRows.duration]) {
      for (const { labels } of families.get(name)?.samples ?? []) {
        for (const [label, known] of Object.entries(words)) {
          if (labels[label] !== undefined) expect(known).toContain(labels[label]);
        }
        if (labels['status'] !== undefined) expect(labels['status']).toMatch(/^[1-5]\d\d$/);
      }
    }
    const text = await sandbox.metrics();
    for (const word of ['evil', '492985', 'PROPFIND', 'm29', 'x@y']) {
      expect(text).not.toContain(word);
    }
  });

  it('requires the control token', async () => {
    const sandbox = make({ controlToken: 'wand' });
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await sandbox.request('/_sandbox/metrics', { headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ Authorization: 'Bearer wand' })).toBe(200);
  });

  it('has the content type that Prometheus requests', () => {
    expect(metricsType).toBe(Registry.PROMETHEUS_CONTENT_TYPE);
  });
});
