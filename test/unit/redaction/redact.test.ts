/** Redaction removes every card number, code and credential in any spelling, and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactFreeText, redactText } from '../../../src/redaction/redact.ts';
import { pan, appearsIn } from '../../properties/support/card-numbers.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { runs } from '../../support/vitest/runs.ts';
import { cpuMs } from '../../support/cpu-time.ts';

type Spell = (digits: string) => string;

const zeros = { Arabic: 0x660, Persian: 0x6f0, 'full-width': 0xff10 };
const each = (digits: string, change: (digit: string) => string) =>
  [...digits].map(change).join('');
/** Other numbers are only found where no digit stands directly before or after. */
const isFoundAnywhere = (digits: string) => digits.length === 16 && !digits.startsWith('6304');
const groups = (digits: string, by: string) => digits.replaceAll(/(\d{4})(?=\d)/g, `$1${by}`);
/** Writes digits in the script whose zero has this code. */
const script = (digits: string, zero: number) =>
  each(digits, (digit) => String.fromCharCode(zero + Number(digit)));
const escaped = (text: string) =>
  each(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const hex = (digits: string) => each(digits, (digit) => `%3${digit}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const spellings: Readonly<Record<string, Spell>> = {
  'as it is': (digits) => digits,
  'in groups with spaces': (digits) => groups(digits, ' '),
  'in groups with dashes': (digits) => groups(digits, '-'),
  'in groups with dots': (digits) => groups(digits, '.'),
  'in a form, in groups': (digits) => groups(digits, '+'),
  'in a query, in groups': (digits) => groups(digits, '%20'),
  'in groups with tabs, in JSON': (digits) => JSON.stringify(groups(digits, '\t')),
  ...Object.fromEntries(
    [
      '\u00a0',
      '\u00ad',
      '\u00b7',
      '\u1680',
      '\u180e',
      '\u2009',
      '\u200b',
      '\u200e',
      '\u2011',
      '\u2028',
      '\u202c',
      '\u202f',
      '\u205f',
      '\u2062',
      '\u2068',
      '\u2212',
      '\u3000',
      '\ufeff',
    ].flatMap((space): readonly [string, (digits: string) => string][] => {
      const escape = `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`;
      return [
        [`in groups with ${escape}`, (digits) => groups(digits, space)],
        [`in groups with ${escape}, in JSON`, (digits) => groups(digits, escape)],
        [
          `in groups with ${escape}, URL-encoded`,
          (digits) => encodeURIComponent(groups(digits, space)),
        ],
      ];
    }),
  ),
  'on lines of its own': (digits) => groups(digits, '\n'),
  'on lines, in JSON': (digits) => groups(digits, '\\n'),
  'digit by digit': (digits) => [...digits].join(' '),
  'as UTF-16 read as UTF-8': (digits) => each(digits, (digit) => `${digit}\0`),
  'URL-encoded': hex,
  'URL-encoded in part': (digits) => hex(digits.slice(0, 3)) + digits.slice(3),
  'URL-encoded twice': (digits) => encodeURIComponent(hex(digits)),
  'in JSON escapes': (digits) => each(digits, (digit) => `\\u003${digit}`),
  'in JSON escapes within JSON': (digits) => each(digits, (digit) => `\\\\u003${digit}`),
  ...Object.fromEntries(
    Object.entries(zeros).flatMap(([name, zero]): readonly [string, Spell][] => [
      [`in ${name} digits`, (digits) => script(digits, zero)],
      [
        `in ${name} digits, in groups`,
        (digits) => groups(digits, ' ').replaceAll(/\d+/g, (group) => script(group, zero)),
      ],
      [`in ${name} digits, URL-encoded`, (digits) => encodeURIComponent(script(digits, zero))],
      [`in ${name} digits, in JSON escapes`, (digits) => escaped(script(digits, zero))],
    ]),
  ),
  'in base64': base64,
  'in base64, after one byte': (digits) => base64(`a${digits}`),
  'in base64, after two bytes': (digits) => base64(`ab${digits}z`),
  'in base64, in groups': (digits) => base64(`name:${groups(digits, '-')}`),
  'in base64 of JSON': (digits) => base64(JSON.stringify({ number: digits, cvv2: '874' })),
  'in base64url without padding': (digits) => Buffer.from(`>?${digits}`).toString('base64url'),
  'as basic credentials': (digits) => `Basic ${base64(`merchant:${digits}`)}`,
  'in hexadecimal': (digits) => Buffer.from(digits).toString('hex'),
  'in hexadecimal, in groups': (digits) => Buffer.from(groups(digits, ' ')).toString('hex'),
  'in entities': (digits) => each(digits, (digit) => `&#${48 + Number(digit)};`),
  'in entities by hexadecimal': (digits) => each(digits, (digit) => `&#x03${digit};`),
  ...Object.fromEntries(
    ['&nbsp;', '&#160;', '&#xA0;', '&#32;', '&thinsp;', '&#8209;', '&#x2011;', '&#45;'].map(
      (entity): readonly [string, Spell] => [
        `in groups with ${entity}`,
        (digits) => groups(digits, entity),
      ],
    ),
  ),
  'between other digits': (digits) => (isFoundAnywhere(digits) ? `7${digits}35` : digits),
};

/** Everything a reader could make of a text: decoded, with ASCII digits, without separators. */
function readThrough(text: string): string {
  let read = text;
  for (let depth = 0; depth < 3; depth++) {
    read = read
      .replaceAll(/(?:%ef%bc%9|%d9%a|%db%b)(\d)/gi, '$1')
      .replaceAll(/\\+u(?:ff1|06[6f])(\d)/gi, '$1')
      .replaceAll(/\\+u00([0-7][\da-f])/gi, (_, code: string) => fromHex(code))
      .replaceAll(/&#x0*([\da-f]+);/gi, (_, code: string) => fromHex(code))
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => fromHex(code))
      .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
        String(digit.charCodeAt(0) & 0xf),
      );
  }
  return read.replaceAll(/&\w+;|[\s.+\-\0]/g, '');
}

const fromHex = (code: string) => String.fromCharCode(Number.parseInt(code, 16));

const around = fc.oneof(
  fc.constant(''),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('{"a":"', '"}', '/v1/vault/', '?a=', '&', 'card', ' 1 ', '%', '\\', '=', '3'),
  // These could take the first digits of a number as their own.
  fc.constantFrom('%A', '%f', '&#', '\\u'),
);

describe('a card number', () => {
  it.each(Object.keys(spellings))('is removed anywhere in a text for any brand, %s', (name) => {
    const spell = spellings[name] ?? String;
    fc.assert(
      fc.property(pan, around, around, ({ number }, before, after) => {
        // Text directly before base64 would count as a part of it, and `\\u2345` is a symbol.
        const isPart = name.includes('64') || (before.endsWith('\\u') && number.startsWith('2'));
        const join = isPart || !isFoundAnywhere(number) ? ' ' : '';
        const left = redactText(before + join + spell(number) + join + after);
        expect(appearsIn(left, number)).toBe(false);
        expect(left).not.toContain(number.slice(0, -4));
        expect(readThrough(left)).not.toContain(number.slice(0, -4));
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves its last four digits', () => {
    expect(redactText(`paid with ${pans.visa}.`)).toBe('paid with xxxxxxxxxxxx0331.');
    expect(redactText(`/v1/x/${hex(pans.amex)}`)).toBe('/v1/x/xxxxxxxxxxxx0005');
    expect(redactText(script(pans.visa, zeros['full-width']))).toBe('xxxxxxxxxxxx0331');
  });

  it('is removed with the padding of its base64', () => {
    expect(redactText(`paid with ${base64(pans.visa)}.`)).toBe('paid with [redacted].');
  });

  it('is found between other digits', () => {
    expect(redactText(`99${pans.visa}00`)).toBe('99xxxxxxxxxxxx033100');
  });

  it.each([
    ['beside a UUID', '45b9aa97-c8e0-4f92-a068-0320381881f5-4417119669820331'],
    ['that runs on into one', '4417119669820-3313-4f92-a068-0320381881f5'],
    ['in groups like those of one', '00000000-4417-1196-6982-033100000000'],
    ['in digits alone, like a UUID', '00000000-4417-4196-8982-000000000000'],
    ['in a longer word than one', 'x0000000a-4417-1196-6982-033100000000'],
  ])('is found %s', (_where, text) => {
    expect(redactText(text)).toMatch(/x{12}\d{4}/);
  });

  it('is found next to another', () => {
    expect(redactText(`${pans.visa} ${pans.mastercard}`)).not.toMatch(/\d{5}/);
  });

  it.each(['  ', '   ', ' - ', '++', '%20%20', '\\t\\t', '&nbsp;&nbsp;'])(
    'is found in separated groups: %j',
    (by) => {
      const apart = Object.values(pans).map((number) => groups(number, by));
      for (const number of [...apart, `3782${by}822463${by}10005`]) {
        expect(redactText(`on ${number}, today`)).toMatch(/^on x{12}\d{4}, today$/);
      }
      const years = ['4012', '2026', '2027', '2028', '2029'].join(by);
      expect(redactText(years)).toBe(years);
    },
  );

  it('is found with its code in a body shown on an HTML page', () => {
    const shown =
      '<pre>{&quot;number&quot;:&quot;4417119669820331&quot;,&#34;cvv2&#x22;:&quot;874&quot;}';
    expect(redactText(shown)).toBe(
      '<pre>{&quot;number&quot;:&quot;xxxxxxxxxxxx0331&quot;,&#34;cvv2&#x22;:&quot;[redacted]&quot;}',
    );
    const harmless =
      'Tom &amp; Jerry&#39;s &quot;7&nbsp;000&nbsp;000&nbsp;000&quot; & more; 20&30;';
    expect(redactText(harmless)).toBe(harmless);
  });

  it('is not removed if its brand is unknown', () => {
    for (const digits of ['1111111111111117', '9000000000000000000', '00000000000000000000']) {
      expect(redactText(`order ${digits}`)).toBe(`order ${digits}`);
    }
  });

  it('is removed from a field even with a wrong digit', () => {
    expect(redactText('{"number":"4417119669820332"}')).toBe('{"number":"xxxxxxxxxxxx0332"}');
    expect(redactText('{"number":"44171196"}')).toBe('{"number":"[redacted]"}');
  });
});

const cardKeys = [
  'number',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'cid',
  'csc',
  'security_code',
  'ccv',
  'cvn',
  'cvv_code',
  'cvv_number',
  'cvv-2',
  'card_code',
  'verification_value',
  'verification_code',
  'security code',
];
const otherKeys = [
  'card_number',
  'cardNumber',
  'client_secret',
  'access_token',
  'refresh_token',
  'authorization',
  'CVV2',
];
const secretKey = fc.constantFrom(...cardKeys, ...otherKeys);

const fields: Readonly<Record<string, (key: string, value: string) => string>> = {
  'a JSON string': (key, value) => JSON.stringify({ a: 'b', [key]: value, c: 'd' }),
  'a JSON number': (key, value) => `{"${key}" : ${value}, "c":"d"}`,
  'JSON within JSON': (key, value) => JSON.stringify({ a: JSON.stringify({ [key]: value }) }),
  'JSON in a query': (key, value) => `/v1/x?a=${encodeURIComponent(`{"${key}":"${value}"}`)}`,
  'JSON with single quotes': (key, value) => `{'${key}':'${value}'}`,
  'JSON without quotes': (key, value) => `{${key}: ${value}}`,
  'JSON that was cut': (key, value) => `{"${key}":"${value}`,
  'JSON with an escaped key': (key, value) =>
    `{"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":"${value}"}`,
  'JSON with an escaped quote': (key, value) => JSON.stringify({ [key]: `"${value}"` }),
  'a form': (key, value) => `a=b&${key}=${value}&c=d`,
  'a form with brackets': (key, value) => `card[${key}]=${value}`,
  'a query with an encoded value': (key, value) => `?a=b&${key}=${hex(value)}`,
  'a query with an encoded key': (key, value) =>
    `?%${key.charCodeAt(0).toString(16)}${key.slice(1)}=${value}`,
};

describe('the value of a secret field', () => {
  it.each(Object.keys(fields))('is removed from %s', (name) => {
    const write = fields[name] ?? String;
    fc.assert(
      fc.property(secretKey, fc.stringMatching(/^[2-9]{3,4}$/), (key, code) => {
        const written = write(key, code);
        const left = redactText(written);
        expect(left, written).toContain('[redacted]');
        expect(readThrough(left).replace('cvv2', '').replace('cvc2', '')).not.toContain(code);
      }),
    );
  });

  it.each([
    ['{"cvv2":["123",{"a":"]456"}],"b":1}', '{"cvv2":"[redacted]","b":1}'],
    ['{"cvv2":{"value":"123"}}', '{"cvv2":"[redacted]"}'],
    ['{"number":["4417"', '{"number":"[redacted]"'],
    ['Authorization: Bearer secret', 'Authorization: [redacted]'],
    [
      '{"access_token":"A21.a.b","token_type":"Bearer"}',
      '{"access_token":"[redacted]","token_type":"Bearer"}',
    ],
    ['curl -H "Authorization: Bearer A21.shop.x1"', 'curl -H "Authorization: [redacted]"'],
    ['<card><cvv2>874</cvv2></card>', '<card><cvv2>[redacted]</cvv2></card>'],
    ['name="cvv2"\r\n\r\n8741\r\n--x', 'name="cvv2"\r\n\r\n[redacted]\r\n--x'],
    ['client_secret\r\n\r\n=A21AA.x_y', 'client_secret\r\n\r\n=[redacted]'],
    // Digits too few for a card number, behind what looks like a mask and is none.
    ['{"number":"xxxxxxxx12345678901"}', '{"number":"[redacted]"}'],
    [
      '[{"op":"add","path":"/cvv2","value":"8741"}]',
      '[{"op":"add","path":"/cvv2","value":"[redacted]"}]',
    ],
    [
      '[{"path":"/card/cvv2", "op":"add", "value": 874}]',
      '[{"path":"/card/cvv2", "op":"add", "value": "[redacted]"}]',
    ],
    [
      '[{"value":"8741","op":"test","path":"/cvc"},{"value":"Ada","path":"/first_name"}]',
      '[{"value":"[redacted]","op":"test","path":"/cvc"},{"value":"Ada","path":"/first_name"}]',
    ],
    [
      '[{"op":"add","path":"/cvv2","from":"/a","note":"b","value":"8741"}]',
      '[{"op":"add","path":"/cvv2","from":"/a","note":"b","value":"[redacted]"}]',
    ],
    [
      '{"fields":[{"name":"cvv2","value":"874"},{"name":"holder","value":"874"}]}',
      '{"fields":[{"name":"cvv2","value":"[redacted]"},{"name":"holder","value":"874"}]}',
    ],
    ['{"value":"874","key":"securityCode"}', '{"value":"[redacted]","key":"securityCode"}'],
    ['sent Bearer A21.shop.x1 twice', 'sent Bearer [redacted] twice'],
    [`sent Basic ${base64('shop:secret')}`, 'sent Basic [redacted]'],
  ])('%s', (text, left) => {
    expect(redactText(text)).toBe(left);
  });

  it.each([
    [`{"trace":${pans.visa},"a":1}`, '{"trace":"xxxxxxxxxxxx0331","a":1}'],
    [`[ ${pans.visa} , -${pans.visa}]`, '[ "xxxxxxxxxxxx0331" , "-xxxxxxxxxxxx0331"]'],
    ['{"a":4.417119669820331e15}', '{"a":"xxxxxxxxxxxx0331e15"}'],
    [`{"a":99${pans.visa}00}`, '{"a":"99xxxxxxxxxxxx033100"}'],
    [`{"a":"b,${pans.visa},c"}`, '{"a":"b,xxxxxxxxxxxx0331,c"}'],
    ['{"a":"{\\"cvv2\\":874}"}', '{"a":"{\\"cvv2\\":[redacted]}"}'],
    [`paid with: ${pans.visa}, twice`, 'paid with: xxxxxxxxxxxx0331, twice'],
  ])('keeps what can be read of %s', (text, left) => {
    expect(redactText(text)).toBe(left);
  });

  it('stays valid JSON', () => {
    const bodies = [
      cardBody(),
      rawPaymentBody(),
      cardBody({ number: 4417119669820331, cvv2: 874 }),
    ];
    for (const body of bodies) {
      const left = redactText(JSON.stringify(body, undefined, 2));
      expect(left).not.toContain('874');
      expect(Object.keys(JSON.parse(left) as object)).toEqual(Object.keys(body));
    }
  });
});

describe('a text without card data', () => {
  const codeName = /c[acsv][cnvd]|cid/i;
  const kept = (text: string): void => {
    expect(redactText(text)).toBe(text);
  };

  it.each([
    JSON.stringify(paymentBody({ cardId: 'CARD-7AB12345CD6789012EFGHIJK' })),
    '{"number":"xxxxxxxxxxxx0331","type":"visa"}',
    '{"number":null,"cvv2":"","authorization":{"id":"7AB12345CD6789012"}}',
    '{"invoice_number":"INV-2026-000123","order_number":12,"avs_code":"Y","cvv_code":"M"}',
    'Order number: 12345, for the bearer of this note; basic subscription',
    'Basic subscription',
    '/v1/vault/credit-cards?page=2&start_time=2026-05-06T07%3A08%3A09Z&sort_by=create_time',
    'b7c1f7a0-5a52-4c3c-9d9b-6f3f2e6a1d10',
    // Digits of these pass for a card number.
    '45b9aa97-c8e0-4f92-a068-0320381881f5',
    '{"custom":"order-35640226-3721-49DA-AD2B-F1CEB80E4819"}',
    '/v1/vault/credit-cards?external_customer_id=ab67c0a1%2Db566%2D4881%2D8183%2D9153ef850d1d',
    '1754400000000 127.0.0.1:54321 +1 408 555 0100',
    '\\u00e9t\\u00e9 100% \\',
    '',
  ])('stays byte for byte: %s', kept);

  it('stays byte for byte, whatever it contains', () => {
    const key = fc.stringMatching(/^[a-f_]{1,12}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.stringMatching(/^[^\d]{0,6}\d{0,11}$/),
        fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
        fc.boolean(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(fc.property(tree, (value) => kept(JSON.stringify(value))));
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), kept));
    // A text may name a code by chance: the last digit of an escape and two letters make `CVC`.
    const url = fc.webUrl({ withQueryParameters: true }).filter((text) => !codeName.test(text));
    fc.assert(fc.property(url, kept));
  });
});

describe('redaction', () => {
  const piece = fc.oneof(
    pan.chain(({ number }) =>
      fc.constantFrom(...Object.values(spellings)).map((spell) => spell(number)),
    ),
    pan.map(({ number }) => number.slice(0, 7)),
    secretKey,
    fc.constantFrom(...'"\'[]{}()<>:=,;&%+-. \\/?x3', '": "', '":', '%22', '\\"', '%3A', '\\u0022'),
    fc.constantFrom('[redacted]', 'xxxxxxxxxxxx0331', 'Bearer ', 'Basic ', 'null', '123', '%25'),
    fc.string({ maxLength: 4 }),
  );
  const tangle = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(tangle, (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('leaves no card number in any combination of spellings', () => {
    fc.assert(
      fc.property(tangle, pan, tangle, (before, { number }, after) => {
        const join = isFoundAnywhere(number) ? '' : ' ';
        const left = redactText(before + join + number + join + after);
        expect(readThrough(left)).not.toContain(number);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('stays fast on adversarial texts', () => {
    const bad = ['4', '"number":[', '{"cvv":"', '%34', 'MTIz', '\\u0034', 'cvv2=', '4 ', '"\\'];
    const startCpu = process.cpuUsage();
    for (const one of bad) redactText(one.repeat(16_384 / one.length));
    expect(cpuMs(startCpu)).toBeLessThan(5_000);
  });
});

it('finds as much in plain free text as in any other', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'cvv',
      'CVV2',
      'code',
      '874',
      '4417',
      '119669820331',
      base64(pans.visa),
      '-',
      ': ',
    ),
    fc.string({ unit: fc.constantFrom(...'cvn2874 -:.,(@'), maxLength: 8 }),
  );
  // An ellipsis is no plain text.
  const other = ' \u2026';
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const isClean = redactFreeText(text) === text;
      expect(redactFreeText(text + other) === text + other).toBe(isClean);
    }),
    { numRuns: runs(3_000) },
  );
});

it.each([
  ['in an object', '{"cvv2":{"value":"8086"}}'],
  ['in a list', '{"cvv2":[8,0,8,6]}'],
  ['with spaces', '{"cvv2":"8 0 8 6"}'],
  ['with a dash', 'cvv2: "80-86"'],
  ['with a sign', '{"cvv2":-8086}'],
  ['after an index', 'cvv2[0]=8086'],
  ['after two indexes, URL-encoded', 'card%5Bcvv2%5D%5B0%5D%5B%5D=8086'],
])('a code %s is removed from free text, and from a body', (_how, text) => {
  for (const redact of [redactText, redactFreeText]) {
    expect(redact(text)).toContain('[redacted]');
    expect(redact(text).replaceAll(/[\s,-]/g, '')).not.toContain('8086');
  }
});
