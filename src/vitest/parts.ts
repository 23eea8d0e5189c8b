/** What the fixture of vitest takes of the library. Builds have it from where the library itself lies, so that there is one. */
export { connect } from '../client/connect.ts';
export { createSandbox } from '../create-sandbox.ts';
export { tableOf } from '../journal/report.ts';
export { shown } from '../member.ts';
export { refuseUnknownOptions } from '../option-mistake.ts';
export { ArgumentMistake, checkKeys } from '../outcomes/argument-mistake.ts';
export { storiesText, verdictText } from '../report/text.ts';
export { isVerdict, noVerdict, VerdictError } from '../report/verdict-error.ts';
export { readOrder } from '../verdict/order.ts';
