/**
 * Makes an expression that matches a documented path such as `/_sandbox/merchants/{id}`, with or without a trailing
 * slash.
 */
export function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}
