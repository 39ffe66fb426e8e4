import { createLimits } from './default.ts';

/** The protocol counts parameters in 16 bits; beyond that it fails with a message about something else. */
export const postgresLimits = createLimits({
  parametersPerStatement: 65_535,
  rowsPerInsert: 1000,
  columnsPerTable: 1600,
  identifierBytes: 63,
});
