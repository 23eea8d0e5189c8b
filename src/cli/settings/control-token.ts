/** The control token, in so many words or in a file, as Docker and clusters hand out secrets. */
import { readFileSync } from 'node:fs';
import { controlTokenRule } from '../../shared/option-error.ts';
import type { ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

/** As it was given, or as its file holds it; throws a `UsageError` where both say it, or the file holds none. */
export function controlTokenOf({ settings, origins }: ReadSettings): string | undefined {
  const { controlToken, controlTokenFile } = settings;
  if (controlTokenFile === undefined) return controlToken;
  const origin = origins.get('controlTokenFile');
  if (controlToken !== undefined) {
    throw new UsageError(
      `${origins.get('controlToken')} and ${origin} both say the control token. Leave one of them out.`,
    );
  }
  const token = textIn(controlTokenFile, `${origin}`).trim();
  if (controlTokenRule.form.test(token)) return token;
  throw new UsageError(
    `${origin} must name a file with one line, and what ${controlTokenFile} holds is none: a token ${controlTokenRule.words}.`,
  );
}

function textIn(path: string, origin: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(
      `${origin} must name a file that can be read, and ${path} cannot (${why}).`,
    );
  }
}
