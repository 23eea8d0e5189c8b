/** Card data in a body that is not JSON is never kept. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

const json = JSON.stringify({ number: '4929851042331971', cvv2: '8741' });

it.each<readonly [string, string, string | Buffer<ArrayBuffer>]>([
  ['multipart', 'multipart/form-data; boundary=x', '--x\r\nname="cvv2"\r\n\r\n8741\r\n--x--'],
  ['XML', 'application/xml', '<card><cvv2 kind="a">8741</cvv2></card>'],
  ['a form', 'application/x-www-form-urlencoded', 'cvv2=8741'],
  ['base64', 'application/json', Buffer.from(json).toString('base64')],
  ['UTF-16', 'application/json', Buffer.from(json, 'utf16le')],
  ['no UTF-8', 'application/json', Buffer.from(`${json}\u00ff`, 'latin1')],
])('removes card data from %s', async (_, type, body) => {
  const sandbox = createSandbox();
  await sandbox.fetch('http://sandbox.test/v1/vault/credit-cards', {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': type },
    body: new Blob([body]),
  });
  const [entry] = sandbox.merchant('shop').journal().entries;
  expect(entry?.request).toBe(`(${Buffer.byteLength(body)} bytes that are not JSON)`);
  await sandbox.close();
});
