/** Holds what records list against what names them: both sides of an export must say the same. */
import type { Path } from '../../documents/source.ts';
import type { Records } from './document.ts';
import type { ExportIssue } from './export-error.ts';

/** A record that lists others, and where it does. */
interface ListOwner {
  readonly id: string;
  readonly listed: readonly string[];
  readonly placeOf: (which: number) => Path;
}

/** A record that is listed, and where it names the one that must list it. */
interface ListMember {
  readonly id: string;
  readonly of: string;
  readonly place: Path;
}

/** Payments list all that came of them, sales and captures their refunds; each of those names where it belongs. */
export function findListIssues({ payments, ...others }: Records): ExportIssue[] {
  const { sales, authorizations, captures, refunds } = others;
  return [
    ...findListIssuesOf(
      payments.rows.map(({ record: { id, related } }, at) => ({
        id,
        listed: related.map((one) => one.id),
        placeOf: (which) => ['records', 'payments', 'rows', at, 'record', 'related', which, 'id'],
      })),
      Object.entries({ sales, authorizations, captures, refunds }).flatMap(([table, list]) =>
        list.map(({ id, paymentId }, at) => ({
          id,
          of: paymentId,
          place: ['records', table, at, 'paymentId'],
        })),
      ),
    ),
    ...findListIssuesOf(
      Object.entries({ sales, captures }).flatMap(([table, list]) =>
        list.map(({ id, refundIds }, at) => ({
          id,
          listed: refundIds,
          placeOf: (which: number) => ['records', table, at, 'refundIds', which],
        })),
      ),
      refunds.map(({ id, of }, at) => ({
        id,
        of: of.id,
        place: ['records', 'refunds', at, 'of', 'id'],
      })),
    ),
  ];
}

/** What is listed or named and not there at all is told elsewhere. */
function findListIssuesOf(
  owners: readonly ListOwner[],
  members: readonly ListMember[],
): ExportIssue[] {
  const homes = new Map(members.map(({ id, of }) => [id, of]));
  const seen = new Set<string>();
  const misplaced = owners.flatMap(({ id, listed, placeOf }) =>
    listed.flatMap((one, which): ExportIssue[] => {
      const home = homes.get(one) ?? id;
      if (home !== id) return [[placeOf(which), `"${one}" belongs to "${home}".`]];
      if (seen.has(one)) return [[placeOf(which), `"${one}" is listed already.`]];
      seen.add(one);
      return [];
    }),
  );
  const known = new Set(owners.map(({ id }) => id));
  const unlisted = members.flatMap(({ id, of, place }): ExportIssue[] =>
    seen.has(id) || !known.has(of) ? [] : [[place, `"${of}" does not list "${id}".`]],
  );
  return [...misplaced, ...unlisted];
}
