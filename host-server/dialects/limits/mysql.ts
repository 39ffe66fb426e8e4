import { createLimits } from './default.ts';

/** InnoDB allows 1,017 columns. Parameters are only limited by the packet size, so this limit is a precaution. */
export const mysqlLimits = createLimits({
  parametersPerStatement: 60_000,
  rowsPerInsert: 1000,
  columnsPerTable: 1017,
  identifierBytes: 192,
});
