/** What the fixture of vitest takes of the library. Builds have it from where the library itself lies, so that there is one. */
export { connect } from '../client/connect.ts';
export { createSandbox } from '../sandbox/create-sandbox.ts';
export { tableOf } from '../journal/explain/report.ts';
export { shown } from '../shared/unknown-value.ts';
export { refuseUnknownOptions } from '../shared/option-error.ts';
export { ArgumentError, checkKeys } from '../outcomes/argument-error.ts';
export { storiesText, verdictText } from '../report/text.ts';
export { isVerdict, noVerdict, VerdictError } from '../report/verdict-error.ts';
export { readOrder } from '../verdict/options.ts';
