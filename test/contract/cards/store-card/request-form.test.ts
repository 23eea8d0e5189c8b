/** The ways clients spell the request: paths, queries, headers, bytes. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { cardBody } from '../../../support/samples.ts';

onEveryTransport('storing a card', (transport) => {
  it.each([
    '/v1/vault/credit-cards',
    '/v1/vault/credit-cards/',
    '/v1/vault/credit-card',
    '/v1/vault/credit-card/',
    '/v1/vault/credit-cards?',
    '/v1/vault/credit-cards/?',
    '/v1/vault/credit-card/?a=&b=c&a',
  ])('201 stores a card at %s, with links in the singular', async (path) => {
    const card = await transport.shop().ask('card.create', 201, { path, body: cardBody() });
    const href = `${transport.base}/v1/vault/credit-card/${card.id}`;
    expect(card.links.map((link) => link.href)).toEqual([href, href, href]);
  });

  it.each(['*/*', 'text/html, image/gif, image/jpeg, */*; q=0.2', 'application/xml', ''])(
    '201 answers JSON to a client that accepts %j',
    async (accept) => {
      await transport
        .shop()
        .ask('card.create', 201, { body: cardBody(), headers: { Accept: accept } });
    },
  );

  it('201 reads a byte order mark, white space and escapes', async () => {
    const body = JSON.stringify(cardBody({ first_name: 'Zoë' }));
    const written = [`\uFEFF${body}`, `\r\n\t ${body} \n`, body.replace('ë', String.raw`\u00eb`)];
    await inOrder(written, async (text) => {
      const card = await transport.shop().ask('card.create', 201, { body: text });
      expect(card.first_name).toBe('Zoë');
    });
  });

  it('201 ignores keys such as __proto__', async () => {
    const keys = '"__proto__":{"state":"expired"},"constructor":1,"hasOwnProperty":null,';
    const body = JSON.stringify(cardBody()).replace('{', `{${keys}`);
    const card = await transport.shop().ask('card.create', 201, { body });
    expect(card.state).toBe('ok');
  });

  it('201 uses the last of repeated keys', async () => {
    const body = JSON.stringify(cardBody()).replace('{', '{"first_name":"First",');
    const card = await transport.shop().ask('card.create', 201, { body });
    expect(card.first_name).toBe('Ada');
  });

  it('201 writes links with the address that the client used', async () => {
    const shop = transport.shop();
    const url = transport.base
      .replace('127.0.0.1', 'localhost')
      .replace('sandbox.local', 'pay.test');
    const response = await transport.fetch(`${url}/v1/vault/credit-cards`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${shop.merchant.token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(cardBody()),
    });
    expect(await response.text()).toContain(`"href":"${url}/v1/vault/credit-card/CARD-`);
  });
});

onEveryTransport(
  'storing a card under a base address',
  (transport) => {
    it('201 writes links with the configured base URL', async () => {
      const card = await transport.shop().ask('card.create', 201, { body: cardBody() });
      expect(card.links[0]?.href).toBe(`https://vault.test/v1/vault/credit-card/${card.id}`);
    });
  },
  { baseUrl: 'https://vault.test/' },
);
