import { createLimits } from './default.ts';

/** SQL Server allows 2,100 parameters, two of which carry the statement and their types, and 1,000 rows of values. */
export const mssqlLimits = createLimits({
  parametersPerStatement: 2098,
  rowsPerInsert: 1000,
  columnsPerTable: 1024,
  identifierBytes: 384,
});
