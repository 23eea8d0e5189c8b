/** Generated sources in the form that `npm run format` gives them. */
import { format, type FormatOptions } from 'oxfmt';
import { readText } from './source-files.ts';

/** The text of a generated file, formatted like every other file. */
export async function formatted(path: string, text: string): Promise<string> {
  const settings = JSON.parse(readText('.ci/checks/oxfmt.json')) as FormatOptions; // The formatter reads it as that too.
  const { code, errors } = await format(path, text, settings);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return code;
}
