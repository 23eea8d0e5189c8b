/** Bodies that are no JSON, hardly JSON, or JSON that hopes to break its reader. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { expectWell, send, stateOf, type Answer } from './answers.ts';
import { samples } from './bodies.ts';

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

const good = JSON.stringify(cardBody());
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
    ),
  );
const withText = (text: string): string => good.replace('Ada', text);

const malformed: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  'one word': 'hello',
  'an open brace': '{',
  'a closing brace': '}',
  'a value cut short': good.slice(0, -5),
  'two values': good + good,
  'something after the value': `${good}x`,
  'a comma too many': `${good.slice(0, -1)},}`,
  'a missing comma': '{"number":"1" "type":"visa"}',
  'single quotes': "{'number':'1'}",
  'keys without quotes': '{number:1}',
  'a comment': `/* card */ ${good}`,
  'a line comment': `{"number":"1" // card\n}`,
  NaN: '{"expire_year":NaN}',
  Infinity: '{"expire_year":Infinity}',
  undefined: '{"expire_year":undefined}',
  'a number with a leading zero': '{"expire_month":09}',
  'a number with a plus': '{"expire_month":+9}',
  'a number without a whole part': '{"expire_month":.9}',
  hexadecimal: '{"expire_year":0x7E7}',
  'a raw line end in a text': withText('A\nda'),
  'a raw NUL in a text': withText('A\0da'),
  'a raw NUL before the value': `\0${good}`,
  'a wrong escape': withText('A\\da'),
  'a short unicode escape': withText('A\\u12'),
  'a form': 'number=4417119669820331&type=visa',
  XML: '<card><number>1</number></card>',
  'Latin-1 that is no UTF-8': bytes(good.slice(0, 20), [0xe9], good.slice(20)),
  'an overlong encoding': bytes('{"first_name":"', [0xc0, 0xaf], '"}'),
  'a surrogate in UTF-8': bytes('{"first_name":"', [0xed, 0xa0, 0x80], '"}'),
  'a sequence cut short': bytes('{"first_name":"', [0xe2, 0x82], '"}'),
  'UTF-16': new Uint8Array(Buffer.from(good, 'utf16le')),
  'UTF-16 with a byte order mark': bytes([0xff, 0xfe], [...Buffer.from(good, 'utf16le')]),
  gzip: bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xab, 0x56, 0x4a]),
  'a byte order mark in the middle': `{\uFEFF"number":"1"}`,
  'nesting of 10,000 lists': '['.repeat(10_000),
  'nesting of 100,000 closed lists': '['.repeat(100_000) + ']'.repeat(100_000),
  'nesting of 100,000 objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'nesting in an unknown key': `${good.slice(0, -1)},"x":${'['.repeat(40)}${']'.repeat(40)}}`,
};

/** Values of the wrong kind in place of the whole body. */
const wrongWhole = ['true', '0', '1e400', '"text"', '[]', '[{}]', '[[]]', '-0'];

async function sentTo(
  shop: Shop,
  path: string,
  body: Answer['text'] | Uint8Array<ArrayBuffer>,
  method = 'POST',
) {
  return send(shop, { method, path, body });
}

onEveryTransport('a body that is not JSON', (transport) => {
  it.each(Object.keys(malformed))(
    'is refused as malformed and changes nothing: %s',
    async (kind) => {
      const shop = transport.shop();
      const before = await stateOf(shop);
      for (const path of [cards, payments]) {
        const { status, name, text } = await sentTo(shop, path, malformed[kind] ?? '');
        expect([status, name], text).toEqual([400, 'MALFORMED_REQUEST']);
      }
      expect(await stateOf(shop)).toEqual(before);
      await expectWell(shop);
    },
  );

  it('is refused by every operation that takes a body', async () => {
    for (const { name, prepare } of Object.values(samples)) {
      const shop = transport.shop();
      const { params } = await prepare(shop);
      const before = await stateOf(shop);
      for (const body of ['{', 'x', '{"a":}', ...wrongWhole.slice(0, 4)]) {
        const { status, text } = await shop.send(name, { params, body });
        expect([status, Reflect.get(Object(JSON.parse(text)), 'name')], text).toEqual([
          400,
          'MALFORMED_REQUEST',
        ]);
      }
      expect(await stateOf(shop)).toEqual(before);
    }
  });

  it.each(wrongWhole)('is refused in place of an object: %s', async (body) => {
    const shop = transport.shop();
    for (const path of [cards, payments]) {
      const { status, name } = await sentTo(shop, path, body);
      expect([status, name]).toEqual([400, 'MALFORMED_REQUEST']);
    }
  });
});

onEveryTransport('an unusual JSON body', (transport) => {
  const stored = async (
    body: string | Uint8Array<ArrayBuffer>,
  ): Promise<Record<string, unknown>> => {
    const answer = await sentTo(transport.shop(), cards, body);
    expect(answer.status, answer.text).toBe(201);
    return Object(answer.body);
  };

  it('is read with a byte order mark', async () => {
    expect(await stored(bytes([0xef, 0xbb, 0xbf], good))).toMatchObject({ first_name: 'Ada' });
  });

  it('is read with white space around it', async () => {
    expect(await stored(`\r\n\t ${good} \n`)).toMatchObject({ first_name: 'Ada' });
  });

  it('uses the last of repeated keys', async () => {
    const body = `${good.slice(0, -1)},"first_name":"Grace"}`;
    expect(await stored(body)).toMatchObject({ first_name: 'Grace' });
  });

  it.each(['Zoë', '李', '🂡', 'e\u0301', '\u202eadA', '\u2028', '"\\/', '<script>', "O'Hara"])(
    'keeps a name unchanged: %s',
    async (name) => {
      expect(await stored(JSON.stringify(cardBody({ first_name: name })))).toMatchObject({
        first_name: name,
      });
    },
  );

  it('may contain half a surrogate pair, which the answer escapes', async () => {
    const answer = await sentTo(transport.shop(), cards, withText('\\ud83c'));
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('"first_name":"\\ud83c"');
  });

  it('may contain any number of brackets in a string', async () => {
    const answer = await sentTo(
      transport.shop(),
      payments,
      JSON.stringify(rawPaymentBody({}, { transaction: { custom: '[{'.repeat(60) + '\\"' } })),
    );
    expect(answer.status, answer.text).toBe(201);
  });

  it.each(['first_name', 'last_name', 'external_customer_id'])(
    'may not contain a NUL: %s',
    async (key) => {
      const body = JSON.stringify(cardBody({ [key]: 'A\0da' }));
      const { status, name, text } = await sentTo(transport.shop(), cards, body);
      expect([status, name], text).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
