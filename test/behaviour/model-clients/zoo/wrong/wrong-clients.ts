/** All wrong clients. */
import type { WrongClient } from '../client.ts';
import { billing } from './billing.ts';
import { checkout } from './checkout.ts';
import { holds } from './holds.ts';
import { incidents } from './incidents.ts';
import { jobs } from './jobs.ts';
import { moneyBack } from './money-back.ts';
import { names } from './names.ts';
import { secondPayments } from './second-payments.ts';
import { shops } from './shops.ts';
import { workers } from './workers.ts';

export const wrongClients: Readonly<Record<string, Readonly<Record<string, WrongClient>>>> = {
  checkout,
  shops,
  billing,
  holds,
  jobs,
  incidents,
  names,
  'money back': moneyBack,
  'second payments': secondPayments,
  workers,
};
