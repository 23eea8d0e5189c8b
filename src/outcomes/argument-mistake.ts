/** What was asked of a verb cannot be: which part of it, what can be, and what was probably meant. */
export class ArgumentMistake extends Error {
  readonly place: string;
  readonly allowed: readonly string[] | undefined;
  readonly nearest: string | undefined;

  constructor(message: string, place: string, allowed?: readonly string[], nearest?: string) {
    super(message);
    this.name = 'ArgumentMistake';
    this.place = place;
    this.allowed = allowed;
    this.nearest = nearest;
  }
}
