/** A request that a gate holds, and what tests learn about it. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { GatePoint, Hold } from '../../journal/entry.ts';
import type { Pause } from '../../shared/steps.ts';

/** What the pipeline knows about a request that it offers to the gates. */
export interface HeldFacts {
  readonly debugId: string;
  readonly operation: OperationName;
  /** Its PayPal-Request-Id, with any card number masked. */
  readonly requestId: string | undefined;
  /** Key of the purchase, as in the journal. */
  readonly intent: string | undefined;
  /** Name of the purchase for people: its invoice number, `custom` or description. */
  readonly purchase: string | undefined;
}

/** A request that is held now. */
export interface HeldRequest extends HeldFacts {
  /** Name of the gate. */
  readonly gate: string;
  readonly at: GatePoint;
  /** The how many-th request the gate held. */
  readonly arrived: number;
  /** Whether the client left meanwhile. Its request is carried out nevertheless. */
  readonly clientLeft: boolean;
}

/** The pause of a held request. Its gate begins and ends it. */
export class HeldPause implements Pause {
  readonly #facts: HeldFacts;
  readonly #place: Pick<Hold, 'gate' | 'at' | 'arrived'>;
  readonly #onBegin: (pause: HeldPause) => void;
  #resume: (() => void) | undefined;
  clientLeft = false;
  /** How it was released; absent while it is held. */
  hold: Hold | undefined;

  constructor(
    facts: HeldFacts,
    place: Pick<Hold, 'gate' | 'at' | 'arrived'>,
    onBegin: (pause: HeldPause) => void,
  ) {
    this.#facts = facts;
    this.#place = place;
    this.#onBegin = onBegin;
  }

  get arrived(): number {
    return this.#place.arrived;
  }

  begin(resume: () => void): void {
    this.#resume = resume;
    this.#onBegin(this);
  }

  /** Continues the request. On return, it has ended or is held at another gate, unless its answer takes time. */
  release(released: number, releasedBy: Hold['releasedBy']): void {
    this.hold = { ...this.#place, released, releasedBy };
    this.#resume?.();
  }

  /** A plain copy. */
  read(): HeldRequest {
    return { ...this.#place, ...this.#facts, clientLeft: this.clientLeft };
  }
}
