/**
 * A request id may have any bytes: the journal shows it as the client wrote it, without card
 * numbers.
 */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { pans } from '../../support/samples.ts';

/** One character for each byte, as fetch takes a header. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const grouped = pans.visa.replaceAll(/(\d{4})(?=\d)/g, '$1\u00a0');

onEveryTransport('a PayPal-Request-Id', (transport) => {
  it.each<readonly [string, string, string]>([
    ['of UTF-8', bytesOf('größe-7'), 'größe-7'],
    ['of Latin-1', 'größe-7', 'größe-7'],
    ['with a number in groups', bytesOf(`order ${grouped}`), 'order xxxxxxxxxxxx0331'],
    ['with Arabic digits', bytesOf('order ٤٤١٧١١٩٦٦٩٨٢٠٣٣١'), 'order xxxxxxxxxxxx0331'],
  ])('%s', async (_, sent, kept) => {
    const shop = transport.shop();
    await shop.send('card.list', { headers: { 'PayPal-Request-Id': sent } });
    const { entries: requests } = shop.merchant.journal();
    expect(requests.map(({ requestId }) => requestId)).toEqual([kept]);
    expect(shop.merchant.journal({ requestId: kept }).entries).toHaveLength(1);
  });
});
