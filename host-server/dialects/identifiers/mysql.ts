import { createIdentifiers } from './default.ts';

/** MySQL allows 64 characters of up to 3 bytes. */
export const mysqlIdentifiers = createIdentifiers('`', 192);
