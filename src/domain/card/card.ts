/** Cards in the vault: reading, storing, updating, expiry. */
import { scheduleEvents, type CardOverrides } from '../payment/overrides.ts';
import { brandOf, cvvLength, looksIssued, passesLuhn, type Brand } from './brand.ts';
import { addYearsMs, dayMs, endOfMonthMs, startOfDayMs } from '../calendar.ts';
import type { Books, Change, MerchantPolicy } from '../ports.ts';
import {
  accept,
  refuse,
  refuseFields,
  refuseUnknown,
  type FieldIssue,
  type Result,
} from '../refusals.ts';
import type { Address, Card, CardFace } from '../records.ts';

/** A card as a client sends it. `number` and `cvv` are checked here and not kept. */
export interface CardDraft {
  readonly number: string;
  readonly brand: Brand;
  readonly expireMonth: number;
  readonly expireYear: number;
  readonly cvv: string | undefined;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly billingAddress: Address | undefined;
}

/** The caller's own references for a card. */
export interface CardOwner {
  readonly externalCustomerId: string | undefined;
  readonly payerId: string | undefined;
  readonly merchantReference: string | undefined;
  readonly externalCardId: string | undefined;
}

export interface Expiry {
  readonly expireMonth: number;
  readonly expireYear: number;
}

export interface CardRevision extends Expiry {
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly billingAddress: Address | undefined;
}

/** Which request contains the draft; its problems are named accordingly. */
export type DraftPlace = 'vault' | 'payment';

const inPayment = 'payer.funding_instruments[0].credit_card';

/** Whether the printed expiry month is over. */
export function isPastExpiry(expiry: Expiry, nowMs: number): boolean {
  return nowMs >= endOfMonthMs(expiry.expireYear, expiry.expireMonth);
}

/**
 * When a card in the vault stops being usable, always midnight UTC (contract.md §2.3).
 *
 * That is three years minus one day after it was stored, or the end of its expiry month if that is
 * earlier. A card stored after its expiry, where that is allowed, keeps the three years. Otherwise
 * old test data could be stored but never used.
 */
export function validUntilMs(createdAtMs: number, expiry: Expiry): number {
  const threeYears = addYearsMs(startOfDayMs(createdAtMs), 3) - dayMs;
  return isPastExpiry(expiry, createdAtMs)
    ? threeYears
    : Math.min(threeYears, endOfMonthMs(expiry.expireYear, expiry.expireMonth));
}

/** `expired` from `valid_until` on (contract.md §2.9). */
export function cardState(card: Card, nowMs: number): 'ok' | 'expired' {
  return nowMs >= card.validUntilMs ? 'expired' : 'ok';
}

/** Checks a card and keeps only its face. The number goes no further than this function. */
export function readCard(
  draft: CardDraft,
  place: DraftPlace,
  books: Pick<Books, 'nowMs' | 'policy' | 'outcomeOfNumber'>,
): Result<CardFace> {
  const issues = [
    ...numberIssues(draft, place),
    ...expiryIssues(draft, place, books.nowMs(), books.policy),
    ...cvvIssues(draft, place),
  ];
  if (issues.length > 0) return refuseFields(...issues);
  return accept({
    brand: draft.brand,
    last4: lastFour(draft.number),
    panLength: draft.number.length,
    expireMonth: draft.expireMonth,
    expireYear: draft.expireYear,
    firstName: draft.firstName,
    lastName: draft.lastName,
    billingAddress: draft.billingAddress,
    triggeredOutcome: books.outcomeOfNumber(draft.number),
  });
}

/**
 * Refuses a number that may be a real card, if the sandbox refuses such cards.
 *
 * This check comes last, so that a request with other problems is refused as usual. The reason does
 * not mention the number.
 */
export function refuseRealCard(
  books: Pick<Books, 'acceptsNumber'>,
  pan: string,
  place: DraftPlace,
): ReturnType<typeof refuse> | undefined {
  if (books.acceptsNumber(pan)) return undefined;
  return refuse(
    'invalid-fields',
    'The card number is not a known test number, so it may be real (--real-cards refuse). Use a published test number or one from generateCards, or add yours to the list of --allow-cards.',
    { issues: [{ field: numberField(place), issue: 'REAL_CARD_REFUSED' }] },
  );
}

/** Stores a card in the vault. The issuer is not asked (contract.md §2.2). */
export function storeCard(
  books: Books,
  draft: CardDraft,
  owner: CardOwner,
  overrides: CardOverrides = {},
): Result<Change> {
  const face = readCard(draft, 'vault', books);
  if (!face.ok) return face;
  const refusal = refuseRealCard(books, draft.number, 'vault');
  if (refusal !== undefined) return refusal;
  const nowMs = books.nowMs();
  const { brand, last4, panLength, expireMonth, expireYear } = face.value;
  const { firstName, lastName, billingAddress, triggeredOutcome } = face.value;
  const { externalCustomerId, payerId, merchantReference, externalCardId } = owner;
  const card: Card = {
    id: books.ids.card(),
    brand,
    last4,
    panLength,
    expireMonth,
    expireYear,
    firstName,
    lastName,
    billingAddress,
    triggeredOutcome,
    externalCustomerId,
    payerId,
    merchantReference,
    externalCardId,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    validUntilMs: validUntilMs(nowMs, face.value),
  };
  return accept({
    subject: card.id,
    writes: [{ table: 'cards', record: card }],
    transfers: [],
    scheduled: scheduleEvents(card.id, nowMs, overrides.events),
  });
}

/** Changes a card in the vault: names, address, expiry. */
export function reviseCard(books: Books, card: Card, revision: CardRevision): Result<Change> {
  const hasNewExpiry =
    revision.expireMonth !== card.expireMonth || revision.expireYear !== card.expireYear;
  const issues = hasNewExpiry ? expiryIssues(revision, 'vault', books.nowMs(), books.policy) : [];
  if (issues.length > 0) return refuseFields(...issues);
  const revised: Card = {
    ...card,
    ...revision,
    updatedAtMs: books.nowMs(),
    validUntilMs: hasNewExpiry ? validUntilMs(card.createdAtMs, revision) : card.validUntilMs,
  };
  return accept({ subject: card.id, writes: [{ table: 'cards', record: revised }], transfers: [] });
}

/** How many years a renewal adds to the expiry of a card. */
const renewalYears = 3;

/** The issuer renews a card and informs the vault: same number, later expiry. */
export function updateCard(books: Books, id: string): Change | undefined {
  return changeCard(books, id, (card) => renew(card));
}

/**
 * The issuer replaces a card with a new number and informs the vault.
 *
 * `Seed silent:` no number is kept, so the last four digits of the new one are invented: the old
 * ones plus one.
 */
export function replaceCard(books: Books, id: string): Change | undefined {
  return changeCard(books, id, (card) => ({
    ...renew(card),
    last4: String((Number(card.last4) + 1) % 10_000).padStart(4, '0'),
  }));
}

/**
 * The issuer closes the account. The card can still be read; a payment with it gets the outcome
 * `triggeredOutcome`.
 */
export function closeCard(
  books: Books,
  id: string,
  triggeredOutcome: string | undefined,
): Change | undefined {
  return changeCard(books, id, (card) => ({ ...card, triggeredOutcome }));
}

function renew(card: Card): Card {
  const expireYear = card.expireYear + renewalYears;
  const { expireMonth } = card;
  return {
    ...card,
    expireYear,
    validUntilMs: validUntilMs(card.createdAtMs, { expireMonth, expireYear }),
  };
}

function changeCard(books: Books, id: string, change: (card: Card) => Card): Change | undefined {
  const card = books.cards.get(id);
  if (card === undefined) return undefined;
  const record = { ...change(card), updatedAtMs: books.nowMs() };
  return { subject: id, writes: [{ table: 'cards', record }], transfers: [] };
}

/** Deletes a card from the vault. */
export function deleteCard(books: Books, id: string): Result<Change> {
  if (books.cards.get(id) === undefined) return refuseUnknown('card');
  return accept({ subject: id, writes: [{ table: 'cards', removed: id }], transfers: [] });
}

export function findCard(books: Books, id: string): Result<Card> {
  const card = books.cards.get(id);
  return card === undefined ? refuseUnknown('card') : accept(card);
}

/**
 * The number as responses show it: `x` for every digit except the last four (contract.md §2.2).
 *
 * `Seed silent:` no recording of a 15-digit Amex exists; it gets eleven `x` by the same rule.
 */
export function redactedNumber(face: CardFace): string {
  return 'x'.repeat(face.panLength - 4) + face.last4;
}

/** Copies the digits into a new string: a slice would keep the whole number in memory. */
function lastFour(pan: string): string {
  return String.fromCharCode(...[-4, -3, -2, -1].map((at) => pan.charCodeAt(pan.length + at)));
}

function numberField(place: DraftPlace): string {
  return place === 'vault' ? 'number' : `${inPayment}.number`;
}

function numberIssues(draft: CardDraft, place: DraftPlace): FieldIssue[] {
  const pan = draft.number;
  if (!passesLuhn(pan) || !looksIssued(pan)) {
    return [{ field: numberField(place), issue: 'Value is invalid' }];
  }
  if (brandOf(pan) === draft.brand) return [];
  return [
    {
      field: place === 'vault' ? 'type' : inPayment,
      issue: 'The credit card number is not valid for the specified credit card type',
    },
  ];
}

function expiryIssues(
  expiry: Expiry,
  place: DraftPlace,
  nowMs: number,
  policy: MerchantPolicy,
): FieldIssue[] {
  if (policy.allowPastExpiry || !isPastExpiry(expiry, nowMs)) return [];
  return [
    {
      field: place === 'vault' ? 'expire_month, expire_year' : inPayment,
      issue: 'Invalid expiration (cannot be in the past)',
    },
  ];
}

function cvvIssues(draft: CardDraft, place: DraftPlace): FieldIssue[] {
  if (draft.cvv === undefined || draft.cvv.length === cvvLength(draft.brand)) return [];
  return [
    {
      field: place === 'vault' ? 'cvv2' : `${inPayment}.cvv2`,
      issue: 'The cvv2 length is invalid for the specified credit card type',
    },
  ];
}
