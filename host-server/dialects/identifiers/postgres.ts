import { createIdentifiers } from './default.ts';

/** PostgreSQL cuts names after 63 bytes without an error, so that two of them can become one. */
export const postgresIdentifiers = createIdentifiers('"', 63);
