/** What to tell the person who runs a client that sent card numbers or credentials that could be real. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { Warning } from '../journal/entry.ts';
import { memberAlong, stepsOf } from '../shared/unknown-value.ts';
import type { CardGuard, GuardMode } from './card-guard.ts';
import { looksLikeLiveCredential } from './live-credentials.ts';

type ActiveMode = Exclude<GuardMode, 'off'>;

const cardWarnings = {
  warn: 'The card number is on no list of test numbers. Never send a real card. To use a test number of your own, start the sandbox with --allow-cards.',
  refuse:
    'The card number is on no list of test numbers, so it was refused (--real-cards refuse). To use a test number of your own, start the sandbox with --allow-cards.',
} as const satisfies Record<ActiveMode, string>;

const credentialWarnings = {
  warn: 'These look like live credentials. Any value works here. Revoke them: they have been exposed.',
  refuse:
    'These look like live credentials, so they were refused (--real-cards refuse). Any other value works here. Revoke them: they have been exposed.',
} as const satisfies Record<ActiveMode, string>;

/** Warnings of card numbers in other texts, which are kept and returned masked. */
export const textWarnings = {
  masked: {
    kind: 'card-number-in-text',
    text: 'A text that is no card number field contains a card number. It is kept and returned masked. Send card numbers only as number.',
  },
  refused: {
    kind: 'card-number-in-text',
    text: 'A text that is no card number field contains a card number on no list of test numbers, so it was refused (--real-cards refuse). Send card numbers only as number.',
  },
} as const satisfies Record<string, Warning>;

/** The fields in which an operation reads a card number. */
const numberFields: Partial<Readonly<Record<OperationName, readonly (readonly string[])[]>>> = {
  'card.create': [stepsOf('number')],
  'payment.create': ['credit_card', 'payment_card'].map((card) =>
    stepsOf(`payer.funding_instruments[0].${card}.number`),
  ),
};

/** Warns of a card number in a body that is on no list of test numbers, whatever else is wrong with the body. */
export function warnOfCard(
  guard: CardGuard,
  operation: OperationName,
  body: unknown,
): Warning | undefined {
  const { mode } = guard;
  if (mode === 'off') return undefined;
  for (const steps of numberFields[operation] ?? []) {
    const number = memberAlong(body, steps);
    if (typeof number !== 'string' && typeof number !== 'number') continue;
    if (guard.isSuspicious(number)) return { kind: 'real-looking-card', text: cardWarnings[mode] };
  }
  return undefined;
}

/** Warns of an Authorization header whose token looks like a live one. */
export function warnOfToken(
  { mode }: CardGuard,
  authorization: string | undefined,
): Warning | undefined {
  const token = authorization?.replace(/^bearer +/i, '') ?? '';
  return mode === 'off' || !looksLikeLiveCredential(token) ? undefined : credentialWarning(mode);
}

export interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

/** Warns of a client id or secret that looks like a live one. */
export function warnOfCredentials(
  { mode }: CardGuard,
  { clientId, secret }: Credentials,
): Warning | undefined {
  const isSuspect =
    mode !== 'off' && (looksLikeLiveCredential(clientId) || looksLikeLiveCredential(secret));
  return isSuspect ? credentialWarning(mode) : undefined;
}

function credentialWarning(mode: ActiveMode): Warning {
  return { kind: 'live-looking-credential', text: credentialWarnings[mode] };
}
