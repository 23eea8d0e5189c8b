/** The ids in an answer: by them a client learns what became of what it was in doubt about. */

const anId = /"id":"([^"]+)"/g;

/** Every id that a text of JSON shows, at any level. */
export function findIds(text: string): string[] {
  return Array.from(text.matchAll(anId), ([, id = '']) => id);
}

/** Of a text of JSON as much as `findIds` reads. */
export function keepOnlyIds(text: string): string {
  return Array.from(text.matchAll(anId), ([member]) => member).join();
}
