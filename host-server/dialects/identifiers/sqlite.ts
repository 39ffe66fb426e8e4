import { createIdentifiers } from './default.ts';

/**
 * Backticks, which SQLite takes as well as double quotes, because knex looks for them in places.
 * SQLite has no limit of its own; the bound keeps hostile schemas from filling the log.
 */
export const sqliteIdentifiers = createIdentifiers('`', 1000);
