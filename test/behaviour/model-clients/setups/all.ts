/** All set-ups, in the order of the README. */
import { axiosSetUps } from './axios.ts';
import { fetchSetUps } from './fetch.ts';
import { gotSetUps } from './got.ts';
import { kySetUps } from './ky.ts';
import { sdkSetUps } from './paypal-rest-sdk.ts';
import { referenceSetUps } from './reference.ts';
import type { SetUp } from './set-up.ts';
import { superagentSetUps } from './superagent.ts';
import { undiciSetUps } from './undici.ts';

export const setUps: readonly SetUp[] = [
  ...axiosSetUps,
  ...gotSetUps,
  ...kySetUps,
  ...fetchSetUps,
  ...undiciSetUps,
  ...superagentSetUps,
  ...sdkSetUps,
  ...referenceSetUps,
];
