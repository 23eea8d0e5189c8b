/** Every link in every response works with the method it names. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Link } from '../../../src/contract/service/common.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { runsFor } from '../support/own-transport.ts';
import { allKinds, walks } from '../support/client-steps.ts';
import { Walker } from '../support/client-walk.ts';

type Link = ReturnType<typeof Link.parse>;

/** All links in a value, at any depth. */
function linksIn(value: unknown): Link[] {
  if (typeof value !== 'object' || value === null) return [];
  const link = Link.safeParse(value);
  return link.success ? [link.data] : Object.values(value).flatMap(linksIn);
}

/** A body for a link whose method needs one. */
function bodyFor({ method, rel }: Link): unknown {
  if (method === 'PATCH') return [{ op: 'add', path: '/first_name', value: 'Ada' }];
  if (method !== 'POST') return undefined;
  return rel === 'void' ? {} : { amount: { total: '1', currency: 'JPY' } };
}

/** Reads first and deletes last, so that no link breaks another. */
const inOrder = ['GET', 'PATCH', 'POST', 'DELETE'];

for (const profile of ['documented', 'recorded'] as const) {
  onEveryTransport(
    `links under the ${profile} profile`,
    (transport) => {
      it('all work', () =>
        fc.assert(
          fc.asyncProperty(walks(15, allKinds), async (walk) => {
            const walker = await new Walker(transport.shop()).walk(walk);
            const { shop } = walker;
            const texts = walker.transcript.map((text) => text.slice(text.indexOf('\n\n') + 2));
            for (const { id, of } of walker.taken) {
              if (of === 'capture') continue;
              texts.push((await shop.send('sale.refunds', { params: { sale_id: id } })).text);
            }
            texts.push((await shop.send('payment.list', { query: { count: '20' } })).text);
            const links = texts
              .filter((text) => text !== '')
              .flatMap((text) => linksIn(JSON.parse(text)));
            const unique = [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
            const gone = new Set(
              (
                await Promise.all(
                  walker.cards.map(async ({ id }) => {
                    const { status } = await shop.send('card.get', { params: { card_id: id } });
                    return status === 404 ? [id] : [];
                  }),
                )
              ).flat(),
            );
            expect(unique.length).toBeGreaterThan(5);
            for (const method of inOrder) {
              for (const link of unique) {
                const target = link.href.split('/').at(-1) ?? '';
                if (link.method !== method || gone.has(target)) continue;
                const { status } = await shop.follow(link, bodyFor(link));
                // A POST may be refused because of its amount, but not as unknown.
                const good = method === 'POST' ? [200, 201, 400] : [200, 204];
                expect(good, `${method} ${link.href} (${link.rel}): ${status}`).toContain(status);
              }
            }
          }),
          runsFor(transport.name, 20),
        ));
    },
    { profile },
  );
}
