/** Colours only where a person looks, and never against NO_COLOR, whatever else is set. */
export function wantsColour(
  stream: { readonly isTTY?: boolean; readonly hasColors?: () => boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return !refused && stream.isTTY === true && stream.hasColors?.() === true;
}
