import { createIdentifiers } from './default.ts';

/** MySQL counts 64 characters of up to 3 bytes. */
export const mysqlIdentifiers = createIdentifiers('`', 192);
