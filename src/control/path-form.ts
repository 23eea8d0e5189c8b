/** What a documented path, such as `/_sandbox/merchants/{id}`, takes in; a slash at its end makes no difference. */
export function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}
