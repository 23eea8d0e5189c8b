/** What a judge has before them: the trail, and what follows from it. */
import type { World } from '../../world/world.ts';
import { BoughtBy } from '../purchases/purchase-of-record.ts';
import { Charges, type Charge } from '../purchases/charge.ts';
import { deletionsOf } from './deleted-cards.ts';
import { purchasesOf, type Purchase } from '../purchases/purchase.ts';
import { runsOf, type RetryRun } from '../purchases/retry-run.ts';
import { tasksOf, type Task } from '../purchases/attempts.ts';
import { Trail } from './journal-index.ts';

/** A trail with the money that was taken, and the purchases it was taken for. Worked out once. */
export class Evidence extends Trail {
  readonly charges: readonly Charge[];
  readonly purchases: readonly Purchase[];
  readonly boughtBy: BoughtBy;
  /** What must not be done twice, by what the client wanted. */
  readonly tasks: readonly Task[];
  /** Those that were tried more than once. */
  readonly repeated: readonly Task[];
  /** Tries of them that follow one another. */
  readonly runs: readonly RetryRun[];
  /** `seq` of the exchange that deleted each card, by the card's id. */
  readonly deletedAt: ReadonlyMap<string, number>;

  constructor(world: World) {
    super(world);
    const charges = new Charges(this);
    this.charges = charges.all;
    this.purchases = purchasesOf(this, charges);
    this.boughtBy = new BoughtBy(this.records, this.purchases);
    this.tasks = tasksOf(this, this.purchases, this.boughtBy);
    this.repeated = this.tasks.filter(({ attempts }) => attempts.length > 1);
    this.runs = this.repeated.flatMap(runsOf);
    this.deletedAt = deletionsOf(this);
  }
}
