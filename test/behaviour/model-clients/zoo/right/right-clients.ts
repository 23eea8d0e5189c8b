/** All right clients. */
import type { RightClient } from '../client.ts';
import { checkout } from './checkout.ts';
import { moneyBack } from './money-back.ts';
import { shops } from './shops.ts';
import { vault } from './vault.ts';

export const rightClients: Readonly<Record<string, Readonly<Record<string, RightClient>>>> = {
  checkout,
  shops,
  'money back': moneyBack,
  vault,
};
