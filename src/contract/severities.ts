/** How bad a finding is, the worst first. This file loads nothing, so that whoever shows findings needs no schema. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];
