/** Purchases as the buyer sees them: all attempts to pay for one thing, and the money they took. */
import { intentOf } from '../../journal/intent.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { cardAndAmountOf } from '../evidence/request-fields.ts';
import type { Charge, Charges } from './charge.ts';
import { GrowingDoubts } from '../client-knowledge/unknown-outcomes.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { once } from '../evidence/memoize.ts';
import { purchasesUnder, type Told } from './shared-custom.ts';
import { paidAnew } from '../client-knowledge/repeat-purchase.ts';
import { seriesOf, type Series } from './series.ts';
import type { Trail } from '../evidence/journal-index.ts';

/** One purchase. What it is called, and what it took, is looked up when somebody asks: of most nobody does. */
export class Purchase {
  /** Unlike that of any other purchase of the merchant. */
  readonly key: string;
  /** Requests to pay, oldest first. */
  readonly attempts: readonly StoredEntry[];
  readonly #trail: Trail;
  readonly #all: Charges;

  constructor(trail: Trail, all: Charges, { key, entries }: Series) {
    this.#trail = trail;
    this.#all = all;
    this.key = key;
    this.attempts = entries;
  }

  /** Ids of the payments that its attempts made. */
  get payments(): readonly string[] {
    return this.attempts.flatMap(madeBy);
  }

  /** Sales, and captures of what was authorized, by attempt and then oldest first. */
  get charges(): readonly Charge[] {
    return this.chargesBy(this.attempts);
  }

  /** Those that some of its attempts made. */
  chargesBy(attempts: readonly StoredEntry[]): readonly Charge[] {
    return attempts.flatMap((entry) => (entry.committed ? this.#all.ofPayment(entry) : []));
  }

  /** The invoice number it carries: two requests with the same one are the same purchase whatever lies between. */
  get invoiceNumber(): string | undefined {
    return this.#text('invoice_number');
  }

  /** `custom`, for merchants who name purchases there. */
  get custom(): string | undefined {
    return this.#text('custom');
  }

  /** Its invoice number, or what was bought. */
  get label(): string {
    const { invoiceNumber, custom } = this;
    const [total = '?', currency = ''] = this.#sum;
    return invoiceNumber ?? custom ?? this.#text('description') ?? `${total} ${currency}`.trim();
  }

  /** As it was first asked for. */
  get amount(): { readonly total: string; readonly currency: string } | undefined {
    const [total, currency] = this.#sum;
    return total === undefined || currency === undefined ? undefined : { total, currency };
  }

  get #sum(): (string | undefined)[] {
    const amount = memberOf(this.#transaction, 'amount');
    return ['total', 'currency'].map((name) => textOf(memberOf(amount, name)));
  }

  get #transaction(): unknown {
    const [first] = this.attempts;
    return first && transactionOf(this.#trail, first);
  }

  #text(name: string): string | undefined {
    return textOf(memberOf(this.#transaction, name));
  }
}

/** Groups the requests to pay by what the buyer meant. */
export function purchasesOf(trail: Trail, charges: Charges): readonly Purchase[] {
  const doubts = new GrowingDoubts(trail, (entry) => cardAndAmountOf(trail, entry));
  const groups = seriesOf(
    trail.of('payment.create'),
    (entry) => intentOfAttempt(trail, entry),
    (before, entry) =>
      isNamedAs(
        transactionOf(trail, entry),
        () => doubts.areLeftAt(before, entry) || isPaidAnew(trail, entry),
      ),
  );
  const told: Told = {
    hasPaid: (entry) =>
      madeBy(entry).length > 0 && charges.ofPayment(entry).every(({ state }) => state !== 'denied'),
    isPaidAnew: (entry) => isPaidAnew(trail, entry),
  };
  return groups
    .flatMap((series) =>
      isNamedByCustom(trail, series) ? purchasesUnder(trail, series, told) : [series],
    )
    .map((series) => new Purchase(trail, charges, series));
}

/** Whether several requests have but a `custom` in common. */
function isNamedByCustom(trail: Trail, { entries }: Series): boolean {
  const [first, second] = entries;
  if (first === undefined || second === undefined) return false;
  const transaction = transactionOf(trail, first);
  return (
    textOf(memberOf(transaction, 'invoice_number')) === undefined &&
    textOf(memberOf(transaction, 'custom')) !== undefined
  );
}

/**
 * An invoice number names one purchase. `custom` may name one, or be the same for all that one buyer pays each month:
 * it names one that is paid again, as it was or with another card, while the client does not know that it is paid.
 */
function isNamedAs(transaction: unknown, isInDoubt: () => boolean): boolean {
  const has = (name: string): boolean => textOf(memberOf(transaction, name)) !== undefined;
  return has('invoice_number') || (has('custom') && isInDoubt());
}

const paidAnewWith = once(
  (trail: Trail): ReadonlySet<StoredEntry> =>
    new Set(
      paidAnew(trail).flatMap(({ isOneOrder, attempts }) => (isOneOrder ? attempts.slice(1) : [])),
    ),
);

/** With another card, as one order that an earlier request is for. */
function isPaidAnew(trail: Trail, entry: StoredEntry): boolean {
  return paidAnewWith(trail).has(entry);
}

/**
 * A request that was turned away before it was understood has no intent, but may have left its body. One that was not
 * read, or is none, is nobody's purchase.
 */
function intentOfAttempt(trail: Trail, entry: StoredEntry): string | undefined {
  if (entry.intent !== undefined) return entry.intent;
  const body = trail.askedIn(entry);
  return body === undefined ? undefined : intentOf('payment.create', {}, body);
}

const transactionSteps = stepsOf('transactions[0]');

function transactionOf(trail: Trail, entry: StoredEntry): unknown {
  return memberAlong(trail.askedIn(entry), transactionSteps);
}

/** What a client wrote, where it wrote something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
