/** Programs of merchants that send requests to the proxy, one for each way to identify a merchant. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { NodeSdkShop } from '../sdks/node-sdk-shop.ts';
import { cardBody } from '../../bench/load/traffic.ts';
import type { Fleet } from './fleet.ts';

const run = promisify(execFile);
const cards = '/v1/vault/credit-cards';

const Token = z.object({ access_token: z.string() });
const Card = z.object({ id: z.string() });

/** Stores a card for a merchant and returns its id. */
export type Program = (fleet: Fleet, merchant: string) => Promise<{ readonly cardId: string }>;

/** Requests a token and stores a card with it. */
export const withToken: Program = async (fleet, merchant) => {
  const basic = Buffer.from(`${merchant}:any secret`).toString('base64');
  const answer = await fetch(`${fleet.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = Token.parse(await answer.json());
  return { cardId: await stored(fleet, token) };
};

/** Stores a card with the token that needs no token request. */
export const withShortcut: Program = async (fleet, merchant) => ({
  cardId: await stored(fleet, `sandbox.${merchant}`),
});

/** The same with curl. */
export const withCurl: Program = async (fleet, merchant) => {
  const authorization = `Authorization: Bearer sandbox.${merchant}`;
  const data = ['-H', 'Content-Type: application/json', '-d', cardBody(merchant)];
  const { stdout } = await run('curl', [
    '-sS',
    '--fail',
    '-H',
    authorization,
    ...data,
    fleet.url + cards,
  ]);
  return { cardId: Card.parse(JSON.parse(stdout)).id };
};

/** The same with the official SDK, which requests a token itself. */
export const withNodeSdk: Program = async (fleet, merchant) => {
  const shop = new NodeSdkShop({ host: '127.0.0.1', port: fleet.port }, merchant);
  const body: unknown = JSON.parse(cardBody(merchant));
  const { id } = await shop.storeCard(z.looseObject({}).parse(body));
  return { cardId: id };
};

async function stored(fleet: Fleet, token: string): Promise<string> {
  const answer = await fetch(fleet.url + cards, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: cardBody('scale'),
  });
  return Card.parse(await answer.json()).id;
}

/** The status of a merchant's request for one of its cards. */
export async function showStatus({ url }: Fleet, merchant: string, cardId: string) {
  const answer = await fetch(`${url}${cards}/${cardId}`, {
    headers: { Authorization: `Bearer sandbox.${merchant}` },
  });
  await answer.arrayBuffer();
  return answer.status;
}
