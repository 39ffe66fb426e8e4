import { createIdentifiers } from './default.ts';

/**
 * Backticks, which SQLite accepts like double quotes, because knex looks for them in places. SQLite has no limit for names; this
 * one keeps hostile schemas from filling the log.
 */
export const sqliteIdentifiers = createIdentifiers('`', 1000);
