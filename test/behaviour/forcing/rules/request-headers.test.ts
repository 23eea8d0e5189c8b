/** Outcomes that request headers ask for, and the answers to headers that cannot apply. */
import { expect, it } from 'vitest';
import { serviceProblems } from '../../../../src/contract/problems.ts';
import { documentedNames } from '../../../unit/outcomes/catalogue-rules.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { makeSubjects } from '../../../support/requests/valid-requests.ts';
import { at, see } from '../tolerant-client.ts';
import { requestFor } from '../catalogue/request-plans.ts';

async function paying(shop: Shop, headers: Readonly<Record<string, string>>) {
  const cardId = await storeCard(shop);
  return see(shop, 'payment.create', { body: paymentBody({ cardId }), headers });
}

onEveryTransport('Sandbox-Outcome', (transport) => {
  it.each([
    ['html-error-page; status=503', 503, 1],
    ['html-error-page; status=504; phase=before-commit', 504, 0],
    ['new-error-name; name=NETWORK_TOKEN_REQUIRED', 400, 0],
    ['error-503-before-commit;retryAfter=7', 503, 0],
    ['error-by-name; error=PREVIOUS_REQUEST_IN_PROGRESS', 409, 0],
    ['  decline-generic ; ', 400, 0],
  ])('accepts parameters: %s', async (value, status, transfers) => {
    const shop = transport.shop();
    const seen = await paying(shop, { 'Sandbox-Outcome': value });
    expect([seen.status, shop.merchant.ledger().transfers.length]).toEqual([status, transfers]);
    if (value.includes('name=')) expect(seen.text).toContain('"name":"NETWORK_TOKEN_REQUIRED"');
    if (value.includes('retryAfter=')) expect(seen.headers.get('retry-after')).toBe('7');
  });

  it.each([
    ['decline-generik', 'It names no outcome. Did you mean "decline-generic"?'],
    ['RESET-AFTER-COMMIT', 'It names no outcome. Did you mean "reset-after-commit"?'],
    ['do-not-honor', 'It names no outcome. Did you mean "decline-do-not-honor"?'],
    ['insufficient-fund', 'It names no outcome. Did you mean "decline-insufficient-funds"?'],
    ['decline', 'It names no outcome. Did you mean "decline-generic"?'],
    ['Decline Generic!', 'It names no outcome.'],
    ['soft-decline-then-approve', '"soft-decline-then-approve" needs more than one request'],
    [
      'card-deleted',
      '"card-deleted" needs more than one request, applies to every merchant, or occurs by',
    ],
    [
      'connect-refused; lasts=1s',
      '"connect-refused" needs more than one request, applies to every merchant',
    ],
    ['slow-first-byte; delay=soon', 'delay: must be a duration'],
    ['slow-first-byte; delay=25d', 'delay: must be a duration of at most 24 days'],
    ['hang-after-commit; cap=2160000000', 'cap: must be a duration of at most 24 days'],
    ['slow-first-byte; delai=1s', 'has no parameter "delai". Did you mean "delay"? Known: delay.'],
    ['html-error-page; status=200', 'status: must be one of 502, 503, 504'],
    ['html-error-page; phase=never', 'phase: must be one of before-commit, after-commit'],
    ['error-by-name; error=CURRENCY_MISMATCHED', 'error: must be one of AGREEMENT_'],
    ['slow-dribble; chunkBytes=few', 'chunkBytes: must be a whole number'],
  ])('is refused with a reason if it is invalid: %s', async (value, why) => {
    const shop = transport.shop();
    const seen = await paying(shop, { 'Sandbox-Outcome': value });
    const body: unknown = JSON.parse(seen.text);
    expect([seen.status, at(body, 'name')]).toEqual([400, 'SANDBOX_OUTCOME_UNKNOWN']);
    expect(at(body, 'message')).toContain(why);
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it('is refused in the shape of OAuth at the token endpoint', async () => {
    const seen = await see(transport.shop(), 'token.create', {
      body: 'grant_type=client_credentials',
      headers: { 'Sandbox-Outcome': 'nonsense' },
    });
    expect([seen.status, Object.keys(Object(JSON.parse(seen.text)))]).toEqual([
      400,
      ['error', 'error_description'],
    ]);
  });

  it.each([
    ['card.list', 'decline-generic', undefined, 200, 'card.list cannot have decline-generic'],
    [
      'payment.create',
      'refund-failed-later',
      {},
      201,
      'payment.create cannot have refund-failed-later',
    ],
    ['payment.create', 'card-unknown', {}, 201, 'the request names no stored card'],
    [
      'payment.create',
      'sale-pending-then-completed',
      { intent: 'authorize' },
      201,
      'the request makes no sale',
    ],
  ] as const)('marks the response of %s that cannot have %s', async (op, id, part, status, why) => {
    const shop = transport.shop();
    const seen = await see(shop, op, {
      headers: { 'Sandbox-Outcome': id },
      ...(part !== undefined && { body: { ...rawPaymentBody(), ...part } }),
    });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([
      status,
      'not-forced; by=header',
    ]);
    const [entry] = shop.merchant.journal().entries;
    expect(entry).toMatchObject({
      outcomes: [],
      nearMisses: [{ rule: 'Sandbox-Outcome', why }],
    });
  });

  it('applies to one request and uses up no rule', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const body = paymentBody({ cardId });
    const headers = { 'Sandbox-Outcome': 'decline-velocity' };
    expect((await see(shop, 'payment.create', { body, headers })).status).toBe(400);
    expect((await see(shop, 'payment.create', { body, headers })).status).toBe(400);
    expect((await see(shop, 'payment.create', { body })).status).toBe(201);
  });

  it('hides a record only while it is younger than the lag', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const headers = { 'Sandbox-Outcome': 'created-not-visible-yet; lag=2s' };
    const path = `/v1/vault/credit-cards/${cardId}`;
    shop.merchant.clock.advance(1_999);
    expect((await see(shop, 'card.get', { path, headers })).status).toBe(404);
    shop.merchant.clock.advance(1);
    expect((await see(shop, 'card.get', { path, headers })).status).toBe(200);
  });
});

/** The error names of the contract, except our own, and those that can only be forced. */
const namesOfService = [
  ...new Set([...Object.values(serviceProblems).map(({ name }) => name), ...documentedNames]),
].filter((name) => !name.startsWith('SANDBOX_'));

const mock = (code: string) => `{"mock_application_codes":"${code}"}`;

onEveryTransport('PayPal-Mock-Response', (transport) => {
  it.each([
    [mock('INSTRUMENT_DECLINED'), 'decline-insufficient-funds'],
    [mock('DUPLICATE_TRANSACTION'), 'duplicate-invoice'],
    // The form that the service's documentation prints.
    [mock('CREDIT_CARD_REFUSED').replaceAll('"', '\\"'), 'decline-generic'],
    ['{ "mock_application_codes" : "RATE_LIMIT_REACHED" }', 'rate-limited-seconds'],
  ])('is read like the real service does: %s', async (value, id) => {
    const seen = await paying(transport.shop(), { 'PayPal-Mock-Response': value });
    expect(seen.headers.get('sandbox-outcome')).toBe(`${id}; by=header`);
  });

  it.each([
    [mock('NOBODY_KNOWS_THIS'), 'the service has no error of this name.'],
    [
      mock('INSTRUMENT_DECLINE'),
      'the service has no error of this name. Did you mean "INSTRUMENT_DECLINED"?',
    ],
    ['INSTRUMENT_DECLINED', 'its value must have the form {"mock_application_codes":"NAME"}'],
    ['{}', 'its value must have the form {"mock_application_codes":"NAME"}'],
    [mock('constructor'), 'its value must have the form {"mock_application_codes":"NAME"}'],
  ])('changes nothing if it is invalid, and the response says so: %s', async (value, why) => {
    const shop = transport.shop();
    const seen = await paying(shop, { 'PayPal-Mock-Response': value });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([
      201,
      'not-forced; by=header',
    ]);
    const [entry] = await shop.merchant.waitFor({ operation: 'payment.create' });
    expect(entry?.nearMisses).toEqual([{ rule: 'PayPal-Mock-Response', why }]);
    expect(entry?.outcomes).toEqual([]);
  });

  it('is marked as not applied next to another forced outcome, and next to a refusal', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    const headers = { 'PayPal-Mock-Response': mock('NOBODY_KNOWS_THIS') };
    const declined = await paying(shop, headers);
    expect(declined.headers.get('sandbox-outcome')).toBe(
      'decline-generic; by=armed, not-forced; by=header',
    );
    const invalid = await see(shop, 'payment.create', { body: {}, headers });
    expect([invalid.status, invalid.headers.get('sandbox-outcome')]).toEqual([
      400,
      'not-forced; by=header',
    ]);
  });

  it('does not apply at the token endpoint, whose errors have another shape', async () => {
    const seen = await see(transport.shop(), 'token.create', {
      body: 'grant_type=client_credentials',
      headers: { 'PayPal-Mock-Response': mock('CURRENCY_MISMATCH') },
    });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([
      200,
      'not-forced; by=header',
    ]);
  });

  it.each(namesOfService)('forces every error of the service by its name: %s', async (name) => {
    const shop = transport.shop();
    const headers = { 'PayPal-Mock-Response': mock(name) };
    const statuses = Object.values(serviceProblems).flatMap((one) =>
      one.name === name ? one.status : [],
    );
    const both = [await paying(shop, headers), await see(shop, 'card.list', { headers })];
    for (const seen of both) {
      const body: unknown = JSON.parse(seen.text);
      expect([at(body, 'name'), at(body, 'debug_id')]).toEqual([
        name,
        seen.headers.get('paypal-debug-id'),
      ]);
      expect(at(body, 'message')).toEqual(expect.stringMatching(/^[^{}]+$/));
      if (statuses.length > 0) expect(statuses).toContain(seen.status);
      else expect(seen.status).toBeGreaterThanOrEqual(400);
      expect(seen.headers.get('sandbox-outcome')).toMatch(/^[a-z0-9-]+; by=header$/);
      if (name === 'VALIDATION_ERROR')
        expect(at(body, 'details', 0, 'issue')).toEqual(expect.any(String));
      if (name === 'AUTHENTICATION_FAILURE') expect(at(body, 'error')).toBe('invalid_token');
    }
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it.each([
    'CARD_TOKEN_PAYER_MISMATCH',
    'EXPIRED_CREDIT_CARD_TOKEN',
    'INVALID_RESOURCE_ID',
    'PAYER_ID_MISSING_FOR_CARD_TOKEN',
  ])('forces an error of stored cards for a raw card, too: %s', async (name) => {
    const shop = transport.shop();
    const headers = { 'PayPal-Mock-Response': mock(name) };
    const seen = await see(shop, 'payment.create', { body: rawPaymentBody(), headers });
    expect([at(JSON.parse(seen.text), 'name'), seen.headers.get('sandbox-outcome')]).toEqual([
      name,
      'error-by-name; by=header',
    ]);
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it.each([
    ['card.create', 'VALIDATION_ERROR', 'card-input-expired'],
    ['payment.create', 'VALIDATION_ERROR', 'validation-missing-field'],
    ['auth.capture', 'INSTRUMENT_DECLINED', 'auth-honor-lapsed'],
    ['card.get', 'INVALID_RESOURCE_ID', 'card-unknown'],
  ] as const)('finds the outcome of %s for the error name %s', async (operation, code, id) => {
    const shop = transport.shop();
    const call = requestFor(operation, await makeSubjects(shop));
    const seen = await see(shop, operation, {
      ...call,
      headers: { 'PayPal-Mock-Response': mock(code) },
    });
    expect(seen.headers.get('sandbox-outcome')).toBe(`${id}; by=header`);
  });
});
