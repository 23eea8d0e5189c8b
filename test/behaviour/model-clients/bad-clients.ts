/** Every bad client: one for each finding, to hold the finding to it and to nothing else. */
import { cardData } from './bad-clients/card-data.ts';
import type { BadClient } from './bad-clients/bad-client.ts';
import { money } from './bad-clients/money.ts';
import { protocol } from './bad-clients/protocol.ts';
import { retries } from './bad-clients/retries.ts';
import { tokens } from './bad-clients/tokens.ts';

export const badClients: Readonly<Record<string, BadClient>> = {
  ...money,
  ...retries,
  ...tokens,
  ...cardData,
  ...protocol,
};
