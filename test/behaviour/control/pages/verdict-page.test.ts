/** The verdict as a page: of one merchant or of all, the same by every way to it. */
import { expect, it } from 'vitest';
import { connect, createSandbox, type Sandbox } from '../../../../src/index.ts';
import { onEveryTransport, type TestTransport, type Shop } from '../../../support/transports.ts';
import { rawPaymentBody } from '../../../support/samples.ts';

async function pageAt(transport: TestTransport, path: string): Promise<string> {
  const answer = await transport.fetch(transport.base + path);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Pays, and never learns of it. */
async function loseAnAnswer({ transport, merchant }: Shop, invoice: string): Promise<void> {
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const paid = transport.fetch(`${transport.base}/v1/payments/payment`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${merchant.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(rawPaymentBody({}, { transaction: { invoice_number: invoice } })),
  });
  await expect(paid).rejects.toThrow(/fetch failed/);
}

/** What Chromium sends with every page that it is to show. */
const asBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** It is made at another moment each time. */
const untimed = (page: string): string => page.replaceAll(/<time datetime=.*?<\/time>/gs, '');

onEveryTransport('GET /_sandbox/verdict', (transport) => {
  it('shows what happened to the money of one merchant, and of all', async () => {
    const [one, other] = [transport.shop(), transport.shop()];
    await loseAnAnswer(one, 'INV-ONE');
    await loseAnAnswer(other, 'INV-OTHER');
    const ofOne = await pageAt(transport, `/_sandbox/verdict?merchant=${one.merchant.id}`);
    expect(ofOne).toContain('orphaned-charge');
    expect(ofOne).toContain('INV-ONE');
    expect(ofOne).not.toContain('INV-OTHER');
    const ofAll = await pageAt(transport, '/_sandbox/verdict');
    expect(ofAll).toContain('INV-ONE');
    expect(ofAll).toContain('INV-OTHER');
  });

  it('equals the page that the verbs return, in process and over HTTP', async () => {
    const { merchant } = transport.shop();
    await loseAnAnswer(transport.shop(merchant.id), 'INV-7');
    const page = untimed(await pageAt(transport, `/_sandbox/verdict?merchant=${merchant.id}`));
    expect(untimed(await merchant.verdictPage())).toBe(page);
    const { url, close } = await transport.sandbox.listen({ port: 0 });
    const remote = connect(url);
    expect(untimed(await remote.merchant(merchant.id).verdictPage())).toBe(page);
    const ofAll = untimed(await transport.sandbox.all.verdictPage());
    expect(ofAll).toContain('INV-7');
    expect(untimed(await remote.all.verdictPage())).toBe(ofAll);
    await close();
  });

  it('links each debug id to its explanation for a browser', async () => {
    const shop = transport.shop();
    await loseAnAnswer(shop, 'INV-ASKED');
    const address = `${transport.base}/_sandbox/verdict?merchant=${shop.merchant.id}`;
    const shown = await (await transport.fetch(address, { headers: { Accept: asBrowser } })).text();
    const links = [...shown.matchAll(/<a\s+href="(\/_sandbox\/[^"]*)"/g)].map(
      ([, link = '']) => link,
    );
    const debugId = shop.merchant.journal().entries[0]?.debugId;
    expect(links.length).toBeGreaterThan(1);
    expect(new Set(links)).toEqual(
      new Set([`/_sandbox/journal/${debugId}?merchant=${shop.merchant.id}`]),
    );
    const explained = await (await transport.fetch(transport.base + links[0])).text();
    // What is to be said of it stands at the top, for people who see the bare document.
    expect(explained).toMatch(/^\{\s+"summary": \[\s+"POST \/v1\/payments\/payment returned 201/);
  });

  it('has no links in a page for a file', async () => {
    const { merchant } = transport.shop();
    await loseAnAnswer(transport.shop(merchant.id), 'INV-KEPT');
    const kept = await pageAt(transport, `/_sandbox/verdict?merchant=${merchant.id}`);
    expect(kept).toContain(merchant.journal().entries[0]?.debugId);
    expect(kept).not.toMatch(/href="(?!#)/);
  });

  it('forbids caching, framing and loading of other files', async () => {
    const { headers } = await transport.fetch(`${transport.base}/_sandbox/verdict`);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it.each([
    ['merchant=no%20such%20name', 'query.merchant'],
    ['merchnt=a', 'query.merchnt'],
  ])('refuses ?%s', async (query, place) => {
    const answer = await transport.fetch(`${transport.base}/_sandbox/verdict?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { place }]);
  });
});

/** The page as a browser gets it, which shows it while the sandbox runs. */
async function shownPage(sandbox: Sandbox, query = ''): Promise<string> {
  const headers = { Accept: asBrowser };
  const answer = await sandbox.request(`/_sandbox/verdict${query}`, { headers });
  return (await answer.text()).replaceAll(/\s+/g, ' ');
}

it('the verdict page says what to do before the first request, and shows no failure', async () => {
  const sandbox = createSandbox({ fixtures: 'empty', scenario: 'lost-answer' });
  const page = await shownPage(sandbox);
  expect(page).toContain('Waiting for requests: ');
  expect(page).toContain('Check that your code uses the URL of this sandbox.');
  expect(page).toContain('<header class="mast waiting">');
  expect(page).not.toMatch(/✕|no-requests/);
  const [verdict] = await sandbox.all.verdict();
  expect(verdict?.passed).toBe(false);
});

it('a verdict page for a file shows a verdict without requests as failed', async () => {
  const sandbox = createSandbox();
  sandbox.merchant('idle').clock.freeze();
  const page = (await sandbox.all.verdictPage()).replaceAll(/\s+/g, ' ');
  expect(page).toContain('✕ Verdict failed: <bdi>idle</bdi>');
  expect(page).toContain('<dt>Merchants failed</dt> <dd>1 of 1</dd>');
  expect(page).toContain('Merchant idle sent no requests, so nothing was tested.');
  expect(page).not.toMatch(/load this page again|no requests yet/);
});

it('the verdict page of a prefix that no merchant has names merchants that sent requests', async () => {
  const sandbox = createSandbox();
  expect(await shownPage(sandbox, '?prefix=rnu-')).toContain('Waiting for requests: ');
  await sandbox.merchant('run-1').fetch('http://sandbox.local/v1/vault/credit-cards');
  const page = await shownPage(sandbox, '?prefix=rnu-');
  expect(page).toContain('✕ Verdict failed: <bdi>rnu-</bdi>');
  expect(page).toContain(
    'No merchant has an id that starts with rnu-, so nothing was tested. Check the client id in your code. Requests came from: run-1.',
  );
});

it('the verdict page counts a merchant without requests as failed, in its title and its numbers', async () => {
  const sandbox = createSandbox();
  sandbox.merchant('idle').clock.freeze();
  await sandbox.merchant('busy').fetch('http://sandbox.local/v1/vault/credit-cards');
  const page = (await sandbox.all.verdictPage()).replaceAll(/\s+/g, ' ');
  expect(page).toContain('Verdict failed: <bdi>1 of 2 merchants</bdi>');
  expect(page).toContain('<dt>Merchants failed</dt> <dd>1 of 2</dd>');
});

it('the verdict page requires the control token', async () => {
  const sandbox = createSandbox({ fixtures: 'empty', controlToken: 'a-token-for-tests' });
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await sandbox.request('/_sandbox/verdict', { headers })).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ 'Sandbox-Token': 'a-token-for-tests' })).toBe(200);
});
