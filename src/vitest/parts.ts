/**
 * What this entry uses of the library. The entry is an ES module, as vitest cannot be required. The build makes this file
 * CommonJS, as the library is, so that both have the same classes.
 */
export { describeNonVerdict, isVerdict } from '../report/verdict-error.ts';
export { verdictText } from '../report/text.ts';
export { addressOf, checkSuiteOptions, openSandbox } from '../test-runner/suite-options.ts';
export { openMerchant } from '../test-runner/test-merchant.ts';
