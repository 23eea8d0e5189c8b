/** Checks lists of ids in an export: the list and its members must agree. */
import type { Path } from '../../documents/source.ts';
import type { Records } from './document.ts';
import type { ExportIssue } from '../errors.ts';

/** A record that lists others, and the place of each list item. */
interface ListOwner {
  readonly id: string;
  readonly listed: readonly string[];
  readonly placeOf: (which: number) => Path;
}

/** A listed record, and the place that names its owner. */
interface ListMember {
  readonly id: string;
  readonly of: string;
  readonly place: Path;
}

/**
 * Payments list their related resources; sales and captures list their refunds. Each listed record
 * names its owner.
 */
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

/** Missing records are reported elsewhere. */
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
      if (seen.has(one)) return [[placeOf(which), `"${one}" is listed twice.`]];
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
