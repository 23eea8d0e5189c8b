/** Reads the control token, from a setting or from a secret file as Docker and Kubernetes mount it. */
import { readFileSync } from 'node:fs';
import { fileErrorCode } from '../../shared/atomic-file.ts';
import { controlTokenRule } from '../../shared/option-error.ts';
import type { ReadSettings } from './settings.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The control token. Throws a `UsageError` if both settings are given or the file has no valid token. */
export function readControlToken({ settings, origins }: ReadSettings): string | undefined {
  const { controlToken, controlTokenFile } = settings;
  if (controlTokenFile === undefined) return controlToken;
  const origin = origins.get('controlTokenFile');
  if (controlToken !== undefined) {
    throw new UsageError(
      `${origins.get('controlToken')} and ${origin} both set the control token. Remove one of them.`,
    );
  }
  const token = textIn(controlTokenFile, `${origin}`).trim();
  if (controlTokenRule.form.test(token)) return token;
  throw new UsageError(
    `${origin} must name a file with one line, but ${controlTokenFile} has no valid token. A token ${controlTokenRule.words}.`,
  );
}

function textIn(path: string, origin: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${origin} must name a readable file, but ${path} cannot be read (${fileErrorCode(error)}).`,
    );
  }
}
