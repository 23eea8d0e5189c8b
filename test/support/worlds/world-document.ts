/** The whole document of an export, of which the public types show only a part. */
import type { Merchant } from '../../../src/index.ts';
import type { WorldDocument } from '../../../src/world/export/document.ts';

export function worldDocumentOf(merchant: Pick<Merchant, 'export'>): WorldDocument {
  return JSON.parse(JSON.stringify(merchant.export()));
}
