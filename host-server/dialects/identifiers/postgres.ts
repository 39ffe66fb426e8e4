import { createIdentifiers } from './default.ts';

/** PostgreSQL silently cuts names after 63 bytes, so two different names can become equal. */
export const postgresIdentifiers = createIdentifiers('"', 63);
