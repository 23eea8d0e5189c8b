/** All bad clients: at least one for each finding, which must report it and nothing else. */
import { cardData } from './card-data.ts';
import type { BadClient } from './bad-client.ts';
import { money } from './money.ts';
import { protocol } from './protocol.ts';
import { retries } from './retries.ts';
import { tokens } from './tokens.ts';

export const badClients: Readonly<Record<string, BadClient>> = {
  ...money,
  ...retries,
  ...tokens,
  ...cardData,
  ...protocol,
};
