/** A client with one fault of habit, right in all else. */
import type { FindingId } from '../../../../src/contract/finding-ids.ts';
import type { CornerShop } from './corner-shop.ts';

export interface BadClient {
  /** Id of the finding that the habit deserves. */
  readonly rule: FindingId;
  /** Findings that come with it whatever else the client does. */
  readonly also?: readonly FindingId[];
  readonly run: (shop: CornerShop) => Promise<void>;
}
