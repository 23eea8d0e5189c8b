/** Constants that several modules and the client share. This file loads nothing. */

/** The merchant that verbs and control calls act on by default. */
export const defaultMerchant = 'default';

/** The path of health checks. It is answered before anything else is loaded. */
export const healthPath = '/_sandbox/health';

/** The `format` of a coverage file. */
export const coverageFormat = 'card-vault-sandbox/coverage';

/** How bad a finding is, the worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];
