/** The control API under `/_sandbox`, made of the table of verbs and the schemas of each. */
import { coverageSchemas } from './coverage.ts';
import { routesOf, type ControlRoute, type VerbSchema } from './declare.ts';
import { gateSchemas } from './gates.ts';
import { forcingSchemas } from './forcing.ts';
import { journalVerbSchemas } from './journal.ts';
import { ledgerSchemas } from './ledger.ts';
import { merchantSchemas } from './merchants.ts';
import { sandboxSchemas } from './sandbox.ts';
import { verbNamed, verbNames, type VerbName } from './verbs.ts';
import { verdictSchemas } from './verdict.ts';
import { worldSchemas } from './worlds.ts';

/** What every verb takes and returns. */
export const schemas = {
  ...sandboxSchemas,
  ...merchantSchemas,
  ...forcingSchemas,
  ...gateSchemas,
  ...journalVerbSchemas,
  ...worldSchemas,
  ...ledgerSchemas,
  ...coverageSchemas,
  ...verdictSchemas,
} satisfies Record<VerbName, VerbSchema>;

/** Every route of the control API, in the order of the table. */
export const controlRoutes: readonly ControlRoute[] = verbNames.flatMap((name) =>
  routesOf(name, verbNamed(name), schemas[name]),
);
