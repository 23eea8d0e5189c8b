/** The data that every view needs, and the parts that views share. */
import type { AmountDetails } from '../../domain/payment/amount.ts';
import { formatMinor, type Currency, type Money } from '../../domain/money/money.ts';
import { detailNames } from '../../domain/payment/amount.ts';
import type { Books } from '../../domain/ports.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Address } from '../../domain/records.ts';
import { formatMilliseconds, formatSeconds } from '../../shared/time-text.ts';

/** The data that views read: the merchant's records, the profile, and the origin of links. */
export interface View {
  readonly books: Books;
  readonly profile: Profile;
  /** Origin of links, without a trailing slash. */
  readonly base: string;
}

interface LinkOut {
  readonly href: string;
  readonly rel: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
}

export function link(view: View, path: string, rel: string, method: LinkOut['method']): LinkOut {
  return { href: view.base + path, rel, method };
}

/** Writes a time of a payment or of a related resource. */
export function paymentTime(view: View, atMs: number): string {
  return view.profile.paymentTimes === 'milliseconds'
    ? formatMilliseconds(atMs)
    : formatSeconds(atMs);
}

export function paymentTimes(
  view: View,
  of: { readonly createdAtMs: number; readonly updatedAtMs: number },
): { create_time: string; update_time: string } {
  const created = paymentTime(view, of.createdAtMs);
  return {
    create_time: created,
    update_time: of.updatedAtMs === of.createdAtMs ? created : paymentTime(view, of.updatedAtMs),
  };
}

export function money(of: Money): { total: string; currency: string } {
  return { total: formatMinor(of.minor, of.currency), currency: of.currency };
}

/** Writes an amount with its parts. Parts of zero are omitted, as on the real service (contract.md §3.5). */
export function detailedMoney(
  view: View,
  of: Money,
  details: AmountDetails | undefined,
): { total: string; currency: string; details?: Record<string, string> } {
  const amount = money(of);
  const shown =
    details === undefined
      ? view.profile.addsSubtotal
        ? { subtotal: amount.total }
        : undefined
      : formatDetails(details, of.currency);
  return shown === undefined || Object.keys(shown).length === 0
    ? amount
    : { total: amount.total, currency: amount.currency, details: shown };
}

function formatDetails(details: AmountDetails, currency: Currency): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of detailNames) {
    const minor = details[name];
    if (minor !== undefined && minor !== 0) shown[name] = formatMinor(minor, currency);
  }
  return shown;
}

/** JSON omits members that are `undefined`. */
export function address(of: Address | undefined): object | undefined {
  if (of === undefined) return undefined;
  return {
    line1: of.line1,
    line2: of.line2,
    city: of.city,
    state: of.state,
    postal_code: of.postalCode,
    country_code: of.countryCode,
    phone: of.phone,
  };
}
