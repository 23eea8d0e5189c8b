/** What help says around the list of flags. */
import { envNames, type Flag } from '../settings/flags.ts';

export const prologue =
  'A sandbox for card vault and vaulted-card payment integrations. It speaks the PayPal REST API v1 wire, ' +
  'offline, and every client id is a merchant with a world of its own.';

/** What a flag does, and below it its default and what sets it in the environment. */
export function describe(flag: Flag): string {
  const preset = flag.default === undefined ? '' : `[default ${flag.default}] `;
  return `${flag.text}\n${preset}${envNames(flag).join(', ')}`;
}

/** Stands below the list of flags. */
export function epilogue(program: string): string {
  return `
A flag overrules its environment variable. In the environment, switches are true
or false; --no-quiet and its like switch off what is on there.

Examples:
  ${program}
      On port 3000, with a card of every brand and a payment in every state.
  ${program} --seed checkout \\
    --clock-start 2030-01-02T03:04:05Z --clock-frozen
      The same answers to the same requests, byte for byte, every time.
  PORT=8080 ${program} --fixtures ./shop.yaml --log-format json
      With your own cards and payments, and logs for machines.

Docs: http://127.0.0.1:3000/docs while it runs.`;
}
