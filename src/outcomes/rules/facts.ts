/** What a rule can know of a request. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { ChangeKind } from '../outcome.ts';

/** The card a request is about: vaulted, or already gone. */
export interface CardFacts {
  readonly id: string;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | undefined;
}

export interface Facts {
  readonly operation: OperationName;
  readonly writes: boolean;
  /** Time of the merchant's world. */
  readonly nowMs: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** Ids in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The body; absent where there is none. Before anything was read it is as it came, valid or not. */
  readonly body: unknown;
  /** One purchase as the buyer sees it; what a rule's counter is kept by. */
  readonly intent: string;
  readonly card: CardFacts | undefined;
  /** The card it names, in the vault or not, or sends whole: what a counter per card is kept by. */
  readonly cardKey: string;
  /** Age of the record the request names, on the merchant's clock. */
  readonly recordAgeMs: number | undefined;
  /** How long ago something of that kind last befell the record that is read, or one of the list; absent for never. */
  sinceChangeMs(kind: ChangeKind): number | undefined;
  /** Whether a list goes on from an earlier page. */
  readonly isLaterPage: boolean;
  /** The sale or capture a refund is of, the authorization a capture is of. */
  readonly transaction: string | undefined;
  /** Whether it is a payment that takes the money at once. */
  readonly makesSale: boolean;
  readonly saleDisputed: boolean;
  /** Whether the answer would leave with its body. */
  readonly sendsBody: boolean;
  /** Whether the request came on a connection that served one before. */
  readonly reusedConnection: boolean;
}
