/** The first curl commands of a new user. */
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { createSandbox } from '../../../src/index.ts';
import { PaymentOut } from '../../../src/contract/service/payments.ts';
import { TokenOut } from '../../../src/contract/service/token.ts';
import { CardOut } from '../../../src/contract/service/vault.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { runOrSkip } from './programs.ts';

const curl = { command: 'curl', probe: ['--version'], needs: 'curl' };

it('curl authenticates once it is challenged (--anyauth)', async (context) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  try {
    const { stdout } = await runOrSkip(context, curl, [
      '-sS',
      '--anyauth',
      '--user',
      'my-shop:secret',
      '--data',
      'grant_type=client_credentials',
      '--write-out',
      '\n%{http_code} after %{num_connects} connection',
      `${url}/v1/oauth2/token`,
    ]);
    expect(stdout).toContain('"token_type":"Bearer"');
    expect(stdout).toMatch(/200 after 1 connection$/);
  } finally {
    await sandbox.close();
  }
});

it('curl gets a token, stores a card and pays', async (context) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  const ask = async <S extends z.ZodType>(model: S, path: string, ...options: string[]) => {
    const { stdout: printed } = await runOrSkip(context, curl, [
      '-sS',
      '--fail',
      url + path,
      ...options,
    ]);
    return model.parse(JSON.parse(printed));
  };
  try {
    const grant = ['-u', 'my-shop:secret', '-d', 'grant_type=client_credentials'];
    const { access_token: token } = await ask(TokenOut, '/v1/oauth2/token', ...grant);
    const json = (bearer: string, body: object) => [
      '-H',
      `Authorization: Bearer ${bearer}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body),
    ];
    const card = await ask(CardOut, '/v1/vault/credit-cards/', ...json(token, cardBody()));
    // A token call is optional: this token names the same merchant.
    const pay = json('sandbox.my-shop', paymentBody({ cardId: card.id }));
    const payment = await ask(PaymentOut, '/v1/payments/payment', ...pay);
    expect([card.state, payment.state]).toEqual(['ok', 'created']);
    expect(sandbox.merchants()).toEqual(['my-shop']);
  } finally {
    await sandbox.close();
  }
});
