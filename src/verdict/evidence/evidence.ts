/** All that finding rules read: the journal, and the purchases, charges and attempts that follow from it. */
import type { Belief } from '../../contract/control/verdict.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { MoneyRecords } from '../../world/settled-records.ts';
import type { World } from '../../world/world.ts';
import { groupAttempts, type AttemptGroup } from '../purchases/attempts.ts';
import { Charges, type Charge } from '../purchases/charge.ts';
import { groupPurchases } from '../purchases/group-purchases.ts';
import { PurchaseLookup, type Purchase } from '../purchases/purchase.ts';
import { findRetryRuns, type RetryRun } from '../purchases/retry-run.ts';
import { findCardDeletions } from './cards.ts';
import { JournalIndex } from './journal-index.ts';

/** What a client's code believes about a purchase, if it says so. */
export interface PurchaseBeliefs {
  ofPurchase(journal: JournalIndex, purchase: Purchase): Belief | undefined;
}

/** The journal with the money that was taken and the purchases it was taken for. Each part is computed once. */
export class Evidence extends JournalIndex {
  readonly charges: readonly Charge[];
  /** The requests that put money on hold, oldest first. */
  readonly authorizing: ReadonlySet<StoredEntry>;
  readonly purchases: readonly Purchase[];
  readonly purchaseLookup: PurchaseLookup;
  /** Requests that must not be carried out twice, grouped by what the client wanted. */
  readonly attemptGroups: readonly AttemptGroup[];
  /** The groups with more than one attempt. */
  readonly retriedGroups: readonly AttemptGroup[];
  /** Attempts that directly follow one another. */
  readonly retryRuns: readonly RetryRun[];
  /** `seq` of the exchange that deleted each card, by card id. */
  readonly cardDeletions: ReadonlyMap<string, number>;
  /** What the client's code believes about its purchases. */
  readonly beliefs: PurchaseBeliefs;
  /** The charges that are pending at the time of the verdict, even if they will settle soon. */
  readonly pendingCharges: ReadonlySet<Charge>;
  readonly #charges: Charges;

  /** @param settled The records once pending money has settled. Default: as they are now. */
  constructor(
    world: World,
    serviceTimeMs: number,
    beliefs: PurchaseBeliefs,
    settled: MoneyRecords = world,
  ) {
    super(world, settled, serviceTimeMs);
    this.beliefs = beliefs;
    const charges = new Charges(this);
    this.#charges = charges;
    this.charges = charges.all;
    this.authorizing = charges.authorizing;
    // Without a copy of the world for later, the charges themselves say what is pending now.
    const isPending =
      settled === world
        ? (charge: Charge) => charge.isPending
        : ({ id }: Charge) => world.sales.get(id)?.settlement === 'pending';
    this.pendingCharges = new Set(this.charges.filter(isPending));
    this.purchases = groupPurchases(this, charges);
    this.purchaseLookup = new PurchaseLookup(this.records, this.purchases);
    this.attemptGroups = groupAttempts(this, this.purchases, this.purchaseLookup);
    this.retriedGroups = this.attemptGroups.filter(({ attempts }) => attempts.length > 1);
    this.retryRuns = this.retriedGroups.flatMap(findRetryRuns);
    this.cardDeletions = findCardDeletions(this);
  }

  /** The charges that a request led to: its own, and the captures of what it authorized. */
  chargesFrom(entry: StoredEntry): readonly Charge[] {
    return this.#charges.ofPayment(entry);
  }

  /** The sales or captures that a request itself created. */
  chargesBy(entry: StoredEntry): readonly Charge[] {
    return this.#charges.by(entry);
  }
}
