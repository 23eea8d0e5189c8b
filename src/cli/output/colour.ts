/** Whether to print colours: only on a terminal that has them, and never with NO_COLOR. */
export function wantsColour(
  stream: { readonly isTTY?: boolean; readonly hasColors?: () => boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return !refused && stream.isTTY === true && stream.hasColors?.() === true;
}
