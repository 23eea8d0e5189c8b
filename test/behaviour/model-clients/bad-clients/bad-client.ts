/** A client that makes one mistake and is correct otherwise. */
import type { FindingId } from '../../../../src/contract/finding-ids.ts';
import type { CornerShop } from './corner-shop.ts';

export interface BadClient {
  /** Id of the finding that reports the mistake. */
  readonly rule: FindingId;
  /** Other findings that the mistake always causes. */
  readonly also?: readonly FindingId[];
  readonly run: (shop: CornerShop) => Promise<void>;
}
