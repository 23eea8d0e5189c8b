/** Rewrites a body as another program would: same meaning, another notation. */

/** Reverses the order of keys and drops the decimals of whole amounts. */
export function rewriteBody(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .toReversed()
      .map(([name, value]) => [name, valueRespelled(value)]),
  );
}

function valueRespelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueRespelled);
  if (typeof value === 'string') return value.replace(/^(\d+)\.00$/, '$1');
  return typeof value === 'object' && value !== null ? rewriteBody({ ...value }) : value;
}
