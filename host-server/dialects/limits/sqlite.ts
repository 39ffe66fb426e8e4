import { createLimits } from './default.ts';

/** SQLite also caps the terms of a compound select at 500, which multi-row `values` do not count against. */
export const sqliteLimits = createLimits({
  parametersPerStatement: 32_766,
  columnsPerTable: 2000,
  identifierBytes: 1000,
});
