import { createIdentifiers } from './default.ts';

/** SQLite has no limit of its own; the bound keeps hostile schemas from filling the log. */
export const sqliteIdentifiers = createIdentifiers('"', 1000);
