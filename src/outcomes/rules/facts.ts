/** What a rule can know about a request. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { ChangeKind } from '../outcome.ts';

/** The card that a request names: in the vault, or deleted. */
export interface CardFacts {
  readonly id: string;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | undefined;
}

export interface Facts {
  readonly operation: OperationName;
  readonly writes: boolean;
  /** The time on the merchant's clock. */
  readonly nowMs: number;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Ids in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The body, or `undefined` without one. Before the request is read, it may be invalid. */
  readonly body: unknown;
  /** The purchase, as the buyer sees it. Rules count attempts by it. */
  readonly intent: string;
  readonly card: CardFacts | undefined;
  /** Identifies the card that the request names or sends, for rules that count attempts per card. */
  readonly cardKey: string;
  /** The age of the record that the request names, on the merchant's clock. */
  readonly recordAgeMs: number | undefined;
  /** Returns the time since the latest change of this kind to a record that the request reads. */
  sinceChangeMs(kind: ChangeKind): number | undefined;
  /** Whether a list request reads a later page. */
  readonly isLaterPage: boolean;
  /** The sale or capture that a refund is for, or the authorization that a capture is for. */
  readonly transaction: string | undefined;
  /** Whether the request is a payment that takes the money at once. */
  readonly makesSale: boolean;
  readonly saleDisputed: boolean;
  /** Whether the response would be sent with its body. */
  readonly sendsBody: boolean;
  /** Whether the connection served a request before. */
  readonly reusedConnection: boolean;
}
