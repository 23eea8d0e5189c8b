/** A real Prometheus takes what the README says to give it, and reads what is written for it. */
import { describe, it, type TestContext } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/index.ts';
import { metricRows } from '../../../src/metrics/rows.ts';
import { exampleOf } from '../../support/repository/documentation.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { hasPrometheus, Prometheus } from './prometheus.ts';

if (!hasPrometheus) {
  process.stdout.write(
    "README's lines for Prometheus were not run: this machine has no prometheus in its path.\n",
  );
}

/** The block as it stands there, but for the address and for how long it waits before it looks. */
async function scraping(
  { expect, onTestFinished }: TestContext,
  options: SandboxOptions,
  more = '',
): Promise<Prometheus> {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  const { host, port } = await sandbox.listen({ port: 0 });
  const shop = sandbox.merchant('my-shop');
  shop.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
  for (const status of [400, 201]) {
    const answer = await sandbox.request('/v1/payments/payment', {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody()),
    });
    expect(answer.status).toBe(status);
  }
  const block = exampleOf('prometheus').replace('sandbox:3000', `${host}:${port}`);
  return Prometheus.start({ onTestFinished }, `global: { scrape_interval: 1s }\n${block}${more}`);
}

const job = { job: 'card-vault-sandbox' };

// At once, as each of them waits for most of its time.
describe.runIf(hasPrometheus).concurrent('Prometheus', () => {
  it('scrapes the metrics, and queries by operation, status and outcome', async (context) => {
    const { expect } = context;
    const prometheus = await scraping(context, {});
    expect(await prometheus.target()).toMatchObject({ health: 'up', lastError: '' });

    const requests = await prometheus.query(
      `sum by (job, operation, status) (${metricRows.requests.name})`,
    );
    expect(requests.map(({ metric, value }) => [metric, value[1]])).toEqual(
      expect.arrayContaining([
        [{ ...job, operation: 'payment.create', status: '201' }, 1],
        [{ ...job, operation: 'payment.create', status: '400' }, 1],
      ]),
    );
    const forced = await prometheus.query(
      `sum by (outcome) (${metricRows.outcomes.name}{operation="payment.create"})`,
    );
    expect(forced).toMatchObject([
      { metric: { outcome: 'decline-insufficient-funds' }, value: [expect.anything(), 1] },
    ]);
    const slowest = await prometheus.query(
      `histogram_quantile(1, sum by (le) (${metricRows.duration.name}_bucket))`,
    );
    expect(slowest[0]?.value[1]).toBeGreaterThan(0);

    const described = await prometheus.metadata();
    expect(described.map(({ metric }) => metric).toSorted()).toEqual(
      Object.values(metricRows)
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const { name, type, help } of Object.values(metricRows)) {
      expect(described).toContainEqual({ metric: name, type, help });
    }
  });

  it('is refused with a reason without the control token', async (context) => {
    const prometheus = await scraping(context, { controlToken: 'of-the-team' });
    context.expect(await prometheus.target()).toMatchObject({
      health: 'down',
      lastError: context.expect.stringContaining('401'),
    });
  });

  it('is accepted with the control token as credentials', async (context) => {
    const credentials = '    authorization: { credentials: of-the-team }\n';
    const prometheus = await scraping(context, { controlToken: 'of-the-team' }, credentials);
    context.expect(await prometheus.target()).toMatchObject({ health: 'up', lastError: '' });
  });
});
