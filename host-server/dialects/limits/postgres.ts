import { createLimits } from './default.ts';

/** The protocol counts parameters in 16 bits; with more, a statement fails with an unrelated message. */
export const postgresLimits = createLimits({
  parametersPerStatement: 65_535,
  rowsPerInsert: 1000,
  columnsPerTable: 1600,
  identifierBytes: 63,
});
