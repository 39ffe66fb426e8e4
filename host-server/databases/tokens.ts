import { createToken } from '@trellis/core';
import type { ConnectionManager } from './connections/connection-manager.ts';
import type { Database } from './database.ts';

/** The metadata database, where tables of own bases live as well. */
export const DatabaseToken = createToken<Database>('host.database');
export const ConnectionsToken = createToken<ConnectionManager>('host.connections');
