/** All right clients. */
import type { RightClient } from '../client.ts';
import { architectures } from './architectures.ts';
import { billing } from './billing.ts';
import { changes } from './changes.ts';
import { checkout } from './checkout.ts';
import { holds } from './holds.ts';
import { moneyBack } from './money-back.ts';
import { parts } from './parts.ts';
import { processes } from './processes.ts';
import { reconcilers } from './reconcilers.ts';
import { shops } from './shops.ts';
import { trades } from './trades.ts';
import { vault } from './vault.ts';
import { workers } from './workers.ts';

export const rightClients: Readonly<Record<string, Readonly<Record<string, RightClient>>>> = {
  checkout,
  shops,
  billing,
  holds,
  parts,
  reconcilers,
  'money back': moneyBack,
  vault,
  workers,
  architectures,
  changes,
  trades,
  processes,
};
