import { createLimits } from './default.ts';

/** InnoDB takes 1,017 columns; the parameters are bounded by the packet size, so this is a measure of prudence. */
export const mysqlLimits = createLimits({
  parametersPerStatement: 60_000,
  rowsPerInsert: 1000,
  columnsPerTable: 1017,
  identifierBytes: 192,
});
