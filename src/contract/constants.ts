/** Constants that several modules and the client share. This file loads nothing. */

/** The merchant that verbs and control calls act on by default. */
export const defaultMerchant = 'default';

/** The merchant that examples act as: those at the start of the command and on the pages. */
export const exampleMerchant = 'my-shop';

/** The path of health checks. It is answered before anything else is loaded. */
export const healthPath = '/_sandbox/health';

/** The `format` of a coverage file. */
export const coverageFormat = 'card-vault-sandbox/coverage';

/** Where a gate can hold a request. */
export const gatePoints = ['before-commit', 'before-answer'] as const;

/** What can release a request from a gate. */
export const releaseCauses = ['release', 'filled', 'timeout', 'end'] as const;

/** How bad a finding is, the worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** How long the real service is assumed to take for a payment, unless a verdict is told otherwise. */
export const defaultServiceTimeMs = 1_000;
