/** Setup of every test file: properties that name no number of runs take the share of this command. */
import fc from 'fast-check';
import { runs } from './runs.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });
