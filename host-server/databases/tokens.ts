import { createToken, type Token } from '@trellis/core';
import { ServersToken } from '@trellis/sdk/server';
import type { ConnectionManager } from './connections/connection-manager.ts';
import type { Presence } from './connections/presence.ts';
import type { Database } from './database.ts';

/** The metadata database, which also holds the tables of own bases. */
export const DatabaseToken = createToken<Database>('host.database');
export const ConnectionsToken = createToken<ConnectionManager>('host.connections');
/** The running servers, and the end of this one. */
export const PresenceToken = ServersToken as Token<Presence>;
