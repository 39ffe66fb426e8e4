import { createLimits } from './default.ts';

/** knex writes several rows as a compound select, which SQLite limits to 500 terms. */
export const sqliteLimits = createLimits({
  parametersPerStatement: 32_766,
  rowsPerInsert: 500,
  columnsPerTable: 2000,
  identifierBytes: 1000,
});
