/** Notices card numbers and credentials that could be real, whatever becomes of the request that brought them. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { CardGuard, GuardMode } from '../../guard/card-guard.ts';
import { looksLikeLiveCredential } from '../../guard/live-credentials.ts';
import type { Warning } from '../../journal/entry.ts';
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import type { Reply } from '../../transport-port/transport.ts';
import type { Exchange } from '../exchange.ts';
import type { Arrival } from '../context.ts';

type LookingMode = Exclude<GuardMode, 'off'>;

const cardWarnings = {
  warn: 'The card number is on no list of test numbers. Never send a real card; allow a test number of your own with --allow-cards.',
  refuse:
    'The card number is on no list of test numbers and is taken nowhere (--real-cards refuse). Allow a test number of your own with --allow-cards.',
} as const satisfies Record<LookingMode, string>;

const credentialWarnings = {
  warn: 'These credentials look like live ones. Any others do here; take the live ones back, as they have left their place.',
  refuse:
    'These credentials look like live ones and are taken nowhere (--real-cards refuse). Any others do here; take the live ones back, as they have left their place.',
} as const satisfies Record<LookingMode, string>;

/** Where the operations that read a card number have it. */
const numberPlaces: Partial<Readonly<Record<OperationName, readonly (readonly string[])[]>>> = {
  'card.create': [stepsOf('number')],
  'payment.create': ['credit_card', 'payment_card'].map((card) =>
    stepsOf(`payer.funding_instruments[0].${card}.number`),
  ),
};

/**
 * Holds the card number of a body against the lists, however little else of the body is right. Where real ones are
 * refused, nothing of the request is kept.
 */
export function lookAtCard(guard: CardGuard, arrival: Arrival, body: unknown): void {
  const { exchange } = arrival;
  const { mode } = guard;
  if (mode === 'off' || exchange.operation === undefined) return;
  for (const steps of numberPlaces[exchange.operation] ?? []) {
    const number = memberAlong(body, steps);
    if (typeof number !== 'string' && typeof number !== 'number') continue;
    if (!guard.isSuspicious(number)) continue;
    exchange.warnings = [{ kind: 'real-looking-card', text: cardWarnings[mode] }];
    if (mode === 'refuse') {
      arrival.secret = true;
      arrival.body = undefined;
    }
    return;
  }
}

/** What there is to say of a bearer token that this sandbox did not make. */
export function lookAtToken(
  { mode }: CardGuard,
  authorization: string | undefined,
): readonly Warning[] {
  const token = authorization?.replace(/^bearer +/i, '') ?? '';
  return mode === 'off' || !looksLikeLiveCredential(token) ? [] : [credentialWarning(mode)];
}

export interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

/** What there is to say of credentials, and whether they may be used. */
interface LookedAt {
  readonly warnings: readonly Warning[];
  readonly barred: boolean;
  /** Whose world the exchange belongs to. */
  readonly merchant: string | undefined;
}

/** Looks at credentials; those that cannot be any say so by a word. */
export function lookAtCredentials(
  { mode }: CardGuard,
  credentials: Credentials | string,
): LookedAt {
  if (typeof credentials === 'string') return { warnings: [], barred: false, merchant: undefined };
  const { clientId: merchant, secret } = credentials;
  if (mode === 'off' || !(looksLikeLiveCredential(merchant) || looksLikeLiveCredential(secret))) {
    return { warnings: [], barred: false, merchant };
  }
  const warnings = [credentialWarning(mode)];
  if (mode === 'warn') return { warnings, barred: false, merchant };
  // As a merchant's name, a live id would be kept for as long as the sandbox runs.
  return {
    warnings,
    barred: true,
    merchant: looksLikeLiveCredential(merchant) ? undefined : merchant,
  };
}

function credentialWarning(mode: LookingMode): Warning {
  return { kind: 'live-looking-credential', text: credentialWarnings[mode] };
}

/** Says on an answer what its request was warned of. No text holds anything that a client sent. */
export function warned(reply: Reply, { warnings }: Exchange): Reply {
  if (warnings.length === 0) return reply;
  const said = warnings.map(({ kind, text }) => `${kind}; text="${text}"`).join(', ');
  return { ...reply, headers: { ...reply.headers, 'Sandbox-Warning': said } };
}
