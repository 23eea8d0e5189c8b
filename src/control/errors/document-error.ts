/** Turns what is wrong with a rule, a scenario, an export or an order into an answer: each mistake with its place and what would be right. */
import { DocumentError } from '../../documents/document-error.ts';
import { ControlRequestError, type ErrorIssue } from './control-error.ts';

type DocumentProblem = 'invalid-rule' | 'invalid-scenario' | 'invalid-export' | 'invalid-verdict';

/** Runs a verb that reads a document, and names its mistakes as those of this call. */
export function reading<T>(kind: DocumentProblem, verb: () => T): T {
  try {
    return verb();
  } catch (error) {
    throw inWordsOf(kind, error);
  }
}

/** The same for a verb that takes its time. */
export async function readingLater<T>(kind: DocumentProblem, verb: () => Promise<T>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw inWordsOf(kind, error);
  }
}

function inWordsOf(kind: DocumentProblem, error: unknown): unknown {
  if (!(error instanceof DocumentError)) return error;
  const mistakes = error.mistakes.map(named);
  const [first] = mistakes;
  const { place, allowed, nearest } = first ?? {};
  return new ControlRequestError(kind, error.message, { place, allowed, nearest, mistakes });
}

/** What documents are called in the lines about them, with line and column where they came as text. */
const placed = /^(?:force|scenario|export|verdict|(body:\d+:\d+))(?: (\S+))?: /;
/** How a list of words begins in a line; it ends with its sentence. */
const listed = /(?:must be one of|Known:|It takes:|It can on:|States:|Given:) (.+?)\.(?= |$)/;
const guessed = /Did you mean "([^"]+)"\?/;

/** A line of a mistake, taken apart for programs. The words stay as they are. */
function named(message: string): ErrorIssue {
  const [, textPlace, path] = placed.exec(message) ?? [];
  const place = textPlace ?? 'body';
  const separator = textPlace === undefined ? '.' : ' ';
  return {
    message,
    place: path === undefined ? place : place + separator + path,
    allowed: listed.exec(message)?.[1]?.split(', '),
    nearest: guessed.exec(message)?.[1],
  };
}
