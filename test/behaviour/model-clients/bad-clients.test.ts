/** Each bad client does what its name says: its requests, the answers and the money. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Listening, type Merchant } from '../../../src/index.ts';
import { badClients } from './bad-clients/bad-clients.ts';
import { CornerShop } from './bad-clients/corner-shop.ts';

interface Deed {
  readonly asked: readonly string[];
  /** How many different request ids were sent. */
  readonly keys: number;
  /** The transfers in the ledger. */
  readonly moved?: readonly string[];
}

const token = 'token.create 200';
const paid = 'payment.create 201';
const stored = 'card.create 201';
const listed = 'card.list 200';
const crashed = 'payment.create 500 INTERNAL_SERVICE_ERROR';
const lost = 'payment.create 201, lost';
const replayed = 'payment.create 201, replayed';
const duplicate = 'payment.create 400 DUPLICATE_TRANSACTION';
const declined = 'payment.create 400 CREDIT_CARD_REFUSED';
const looked = 'payment.list 200';

function times(count: number, ...asked: readonly string[]): string[] {
  return Array.from({ length: count }, () => asked).flat();
}

const deeds: Readonly<Record<string, Deed>> = {
  'no invoice number behind the request id': {
    asked: [token, lost, paid, looked],
    keys: 1,
    moved: ['sale', 'sale'],
  },
  'a double click': { asked: [token, paid, duplicate], keys: 2, moved: ['sale'] },
  'a pending refund forgotten': {
    asked: [token, paid, 'sale.refund 201'],
    keys: 2,
    moved: ['sale'],
  },
  'the rest of an authorization': {
    asked: [token, paid, 'auth.capture 200'],
    keys: 2,
    moved: ['capture'],
  },
  'the same refund twice': {
    asked: [token, paid, ...times(2, 'sale.refund 201')],
    keys: 3,
    moved: ['sale', 'refund', 'refund'],
  },
  'a refund of what is disputed': {
    asked: [token, paid, token, 'sale.get 200', 'sale.refund 201'],
    keys: 2,
    moved: ['sale', 'chargeback', 'refund'],
  },
  'a charge after a hard decline': { asked: [token, declined, paid], keys: 2, moved: ['sale'] },
  'a daily attempt': {
    asked: times(16, token, 'payment.create 400 INSTRUMENT_DECLINED'),
    keys: 16,
  },
  'a pending sale taken for paid': {
    asked: [token, stored, paid, 'card.delete 204'],
    keys: 2,
  },
  'no request id on a retry': {
    asked: [token, lost, duplicate, looked],
    keys: 0,
    moved: ['sale'],
  },
  'a new request id on each retry': {
    asked: [token, lost, duplicate, looked],
    keys: 2,
    moved: ['sale'],
  },
  'one request id for two orders': {
    asked: [token, paid, 'payment.create 400 DUPLICATE_REQUEST_ID'],
    keys: 1,
    moved: ['sale'],
  },
  'request ids from a counter': {
    asked: [token, ...times(3, paid)],
    keys: 3,
    moved: times(3, 'sale'),
  },
  'another amount on a retry': { asked: [token, crashed, paid], keys: 1, moved: ['sale'] },
  'a declined payment retried': { asked: [token, ...times(3, declined)], keys: 1 },
  'Retry-After ignored': {
    asked: [token, 'payment.create 429 RATE_LIMIT_REACHED', paid],
    keys: 1,
    moved: ['sale'],
  },
  'retries without a wait': {
    asked: [token, ...times(3, crashed), paid],
    keys: 1,
    moved: ['sale'],
  },
  'retries without an end': {
    asked: [token, ...times(6, crashed), paid],
    keys: 1,
    moved: ['sale'],
  },
  'a read given up at once': {
    asked: [token, 'payment.list 429 RATE_LIMIT_REACHED'],
    keys: 0,
  },
  'an unknown outcome dropped': { asked: [token, crashed], keys: 1 },
  'a charge dropped': { asked: [token, lost], keys: 1, moved: ['sale'] },
  'no timeout': { asked: [token, lost, replayed], keys: 1, moved: ['sale'] },
  'a timeout that is too short': {
    asked: [token, `${lost}, left`, replayed],
    keys: 1,
    moved: ['sale'],
  },
  'a token for each call': { asked: times(6, token, listed), keys: 0 },
  'a token for each parallel call': { asked: [...times(4, token), ...times(8, listed)], keys: 0 },
  'tokens renewed without an end': {
    asked: [...times(4, token, 'card.list 401 AUTHENTICATION_FAILURE'), token, listed],
    keys: 0,
  },
  'a token in the URL': { asked: [token, listed], keys: 0 },
  'a card number in a description': { asked: [token, paid], keys: 1, moved: ['sale'] },
  'a card number in a URL': { asked: [token, listed], keys: 0 },
  'a verification code beside a token': {
    asked: [token, 'payment.create 400 MALFORMED_REQUEST'],
    keys: 1,
  },
  'a raw card that is in the vault': {
    asked: [token, stored, paid],
    keys: 2,
    moved: ['sale'],
  },
  'a card without its customer': { asked: [token, stored, stored], keys: 2 },
  'one customer id for all': { asked: [token, ...times(3, stored)], keys: 3 },
  'the card stored for each payment': {
    asked: [token, ...times(3, stored, paid)],
    keys: 6,
    moved: times(3, 'sale'),
  },
  'an amount in floating point': {
    asked: [token, 'payment.create 400 VALIDATION_ERROR'],
    keys: 1,
  },
  'an amount as a number': { asked: [token, 'payment.create 400 VALIDATION_ERROR'], keys: 1 },
  'decimals of yen': { asked: [token, 'payment.create 400 VALIDATION_ERROR'], keys: 1 },
  "a buyer's e-mail address in a description": {
    asked: [token, paid],
    keys: 1,
    moved: ['sale'],
  },
  'a list taken for proof of absence': {
    asked: [token, 'card.create 500 INTERNAL_SERVICE_ERROR', listed, stored],
    keys: 2,
  },
  'the first page taken for the list': {
    asked: [token, ...times(3, stored), listed, stored],
    keys: 4,
  },
  'a delete repeated after 204': {
    asked: [token, stored, 'card.delete 204', 'card.delete 404 INVALID_RESOURCE_ID'],
    keys: 1,
  },
  'polls without a pause': { asked: [token, paid, ...times(40, 'payment.get 200')], keys: 1 },
  'a refund URL built by hand': {
    asked: [token, paid, 'sale.refund 201'],
    keys: 2,
    moved: ['sale', 'refund'],
  },
  'no Content-Type': {
    asked: [token, 'payment.create 415 UNSUPPORTED_MEDIA_TYPE'],
    keys: 1,
  },
  // An unknown path enters the journal of the merchant whose token came with it.
  'a misspelled path': { asked: [token, 'no operation 404 NOT_FOUND'], keys: 0 },
};

const sandbox = createSandbox({ seed: 'bad-clients', clock: { frozen: true } });
let transport: Listening;
let shops = 0;

beforeAll(async () => {
  transport = await sandbox.listen({ port: 0 });
});
afterAll(() => sandbox.close());

async function watch(name: string): Promise<Merchant> {
  const merchant = sandbox.merchant(`bad-${++shops}`);
  await badClients[name]?.run(new CornerShop(merchant, transport.url));
  return merchant;
}

function askedBy(merchant: Merchant): string[] {
  return merchant.journal().entries.map((entry) => {
    const { operation, status, problem, replayed: again, delivery } = entry;
    const asked = operation ?? 'no operation';
    const words = problem === undefined ? `${asked} ${status}` : `${asked} ${status} ${problem}`;
    const { state, clientLeft } = delivery;
    return [
      words,
      ...(again ? ['replayed'] : []),
      ...(state === 'delivered' ? [] : [state]),
      ...(clientLeft ? ['left'] : []),
    ].join(', ');
  });
}

/** The transfers of the fixtures. */
const movedBefore = sandbox.merchant('unused').ledger().transfers.length;

it.each(Object.keys(badClients))('does what its name says: %s', async (name) => {
  const merchant = await watch(name);
  const { entries: requests } = merchant.journal();
  const { transfers } = merchant.ledger();
  expect({
    asked: askedBy(merchant),
    keys: new Set(requests.flatMap(({ requestId }) => requestId ?? [])).size,
    moved: transfers.slice(movedBefore).map(({ cause }) => cause),
  }).toEqual({ moved: [], ...deeds[name] });
  expect(merchant.unfired()).toEqual([]);
});

it.each(['a double click', 'a token for each parallel call'])(
  'sends requests in parallel: %s',
  async (name) => {
    const { entries: requests } = (await watch(name)).journal();
    const slow = requests.find(({ outcomes }) => outcomes.length > 0);
    expect(slow?.overAtSeq).toBeGreaterThan((slow?.seq ?? 0) + 1);
  },
);

it.each([
  ['Retry-After ignored', 30_000],
  ['retries without a wait', 100],
])('waits less than it should: %s', async (name, dueMs) => {
  const { entries: requests } = (await watch(name)).journal({ operation: 'payment.create' });
  const [first, second] = requests;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(dueMs);
});

it('sends a card number, an e-mail address and a token where they do not belong', async () => {
  const said = async (name: string) =>
    JSON.stringify(
      (await watch(name)).journal().entries.map(({ path, request }) => [path, request]),
    );
  // The journal shows a card number in its redacted form.
  expect(await said('a card number in a description')).toMatch(/Paid with x+4444/);
  expect(await said('a card number in a URL')).toMatch(/external_card_id=x+4444/);
  expect(await said("a buyer's e-mail address in a description")).toContain('ada@example.com');
  expect(await said('a token in the URL')).toContain('access_token=');
});
