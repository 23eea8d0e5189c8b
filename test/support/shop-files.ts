/** The small shop of the guides, and the same shop with a mistake. */
import { readText } from './repository/source-files.ts';

/** The request id that the shop sends, and one that differs for each attempt. */
const requestId = "'PayPal-Request-Id': order,";
const newRequestId = "'PayPal-Request-Id': crypto.randomUUID(),";

/** The files as the guides show them, by name. A careless shop retries with a new request id. */
export function shopFiles({ careless = false } = {}): Readonly<Record<string, string>> {
  const correct = readText('docs/guides/shop.mjs');
  if (!correct.includes(requestId)) throw new Error(`docs/guides/shop.mjs has no ${requestId}`);
  const shop = careless ? correct.replace(requestId, newRequestId) : correct;
  return {
    'shop.mjs': shop,
    // Jest requires CommonJS.
    'shop.js': `${shop.replace('export function', 'function')}\nmodule.exports = { openShop };\n`,
    'shop-server.mjs': readText('docs/guides/shop-server.mjs'),
  };
}
