/** The parts of a payment's amount and the sums that must match (contract.md §3.1–§3.2). */
import {
  currencyDecimals,
  isCurrency,
  parseMinor,
  parseSignedMinor,
  type Currency,
  type Money,
} from '../money/money.ts';
import { accept, refuse, refuseFields, type FieldIssue, type Result } from '../refusals.ts';

/** Named as in the wire format. */
export const detailNames = [
  'subtotal',
  'shipping',
  'tax',
  'handling_fee',
  'shipping_discount',
  'insurance',
  'gift_wrap',
] as const;
export type DetailName = (typeof detailNames)[number];

/** Parts of an amount in minor units. */
export type AmountDetails = Readonly<Partial<Record<DetailName, number>>>;

export interface AmountDraft {
  readonly total: string;
  readonly currency: string;
  readonly details: Readonly<Partial<Record<DetailName, string | undefined>>> | undefined;
}

export interface ItemDraft {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly description: string | undefined;
  /** Digits only. */
  readonly quantity: string;
  readonly price: string;
  readonly currency: string;
  readonly tax: string | undefined;
}

export interface Item {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly description: string | undefined;
  readonly quantity: string;
  readonly priceMinor: number;
  readonly taxMinor: number | undefined;
}

export interface Amount extends Money {
  readonly details: AmountDetails | undefined;
}

export interface Basket {
  readonly amount: Amount;
  readonly items: readonly Item[] | undefined;
}

export const zeroAmountIssue = 'Amount cannot be zero';

/** The required format of an amount, as the client reads it. */
export const amountFormatIssue =
  'Amount must be a string of up to 7 digits, with exactly 2 decimals after a "." or none; HUF, JPY and TWD take no decimals';

const inTransaction = 'transactions[0]';
const inAmount = `${inTransaction}.amount`;

/** Reads an amount and its line items, and checks that the sums match. */
export function readBasket(
  draft: AmountDraft,
  items: readonly ItemDraft[] | undefined,
): Result<Basket> {
  const { currency } = draft;
  if (!isCurrency(currency)) {
    return refuse(
      'currency-not-allowed',
      `The service does not support this currency. It supports ${Object.keys(currencyDecimals).join(', ')}.`,
    );
  }
  const issues: FieldIssue[] = [];
  const minor = parseMinor(draft.total, currency);
  if (minor === undefined) issues.push({ field: `${inAmount}.total`, issue: amountFormatIssue });
  else if (minor === 0) issues.push({ field: `${inAmount}.total`, issue: zeroAmountIssue });
  const details = readDetails(draft, currency, issues);
  const read = items?.map((item, at) => readItem(item, at, currency, issues));
  // Line items must add up to the subtotal, so details beside them must include it (contract.md
  // §3.1).
  if (read?.[0] !== undefined && details !== undefined && draft.details?.subtotal === undefined) {
    issues.push({ field: `${inAmount}.details.subtotal`, issue: 'Required field missing' });
  }
  if (minor === undefined || issues.length > 0) return refuseFields(...issues);
  const basket: Basket = {
    amount: { minor, currency, details },
    items: read?.length === 0 ? undefined : read,
  };
  const sums = sumIssues(basket);
  return sums.length > 0 ? refuseFields(...sums) : accept(basket);
}

function readDetails(
  draft: AmountDraft,
  currency: Currency,
  issues: FieldIssue[],
): AmountDetails | undefined {
  if (draft.details === undefined) return undefined;
  const details: Partial<Record<DetailName, number>> = {};
  for (const name of detailNames) {
    const text = draft.details[name];
    if (text === undefined) continue;
    const minor =
      name === 'shipping_discount' ? parseSignedMinor(text, currency) : parseMinor(text, currency);
    if (minor === undefined) {
      issues.push({ field: `${inAmount}.details.${name}`, issue: amountFormatIssue });
    } else {
      details[name] = minor;
    }
  }
  return Object.keys(details).length === 0 ? undefined : details;
}

function readItem(item: ItemDraft, at: number, currency: Currency, issues: FieldIssue[]): Item {
  const place = `${inTransaction}.item_list.items[${at}]`;
  const priceMinor = parseSignedMinor(item.price, currency);
  const taxMinor = item.tax === undefined ? undefined : parseSignedMinor(item.tax, currency);
  if (priceMinor === undefined) issues.push({ field: `${place}.price`, issue: amountFormatIssue });
  if (item.tax !== undefined && taxMinor === undefined) {
    issues.push({ field: `${place}.tax`, issue: amountFormatIssue });
  }
  if (item.currency !== currency) {
    issues.push({ field: `${place}.currency`, issue: 'Must be the currency of the amount' });
  }
  return {
    name: item.name,
    sku: item.sku,
    description: item.description,
    quantity: item.quantity,
    priceMinor: priceMinor ?? 0,
    taxMinor,
  };
}

/**
 * Checks both sums that the real service enforced. It did not check item taxes (contract.md §3.2).
 */
function sumIssues({ amount, items }: Basket): FieldIssue[] {
  const issues: FieldIssue[] = [];
  if (amount.details !== undefined && !detailsAddUp(amount.details, amount.minor)) {
    issues.push({
      field: inAmount,
      issue:
        'Transaction amount details (subtotal, tax, shipping) must add up to specified amount total',
    });
  }
  if (items !== undefined) {
    const expectedMinor = amount.details?.subtotal ?? amount.minor;
    // BigInt, because a ten-digit quantity times a nine-digit price exceeds exact doubles.
    const sum = items.reduce(
      (total, item) => total + BigInt(item.quantity) * BigInt(item.priceMinor),
      0n,
    );
    if (sum !== BigInt(expectedMinor)) {
      issues.push({
        field: inTransaction,
        issue:
          'Item amount must add up to specified amount subtotal (or total if amount details not specified)',
      });
    }
  }
  return issues;
}

/**
 * Accepts the shipping discount with either sign: the real service is not consistent (contract.md
 * §3.2).
 */
function detailsAddUp(details: AmountDetails, totalMinor: number): boolean {
  const { shipping_discount: discount = 0, ...parts } = details;
  const base = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return base + Math.abs(discount) === totalMinor || base - Math.abs(discount) === totalMinor;
}
