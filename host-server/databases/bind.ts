import type { Container } from '@trellis/core';
import { OutboundToken } from '@trellis/sdk/server';
import { ConfigToken } from '../runtime/tokens.ts';
import { ConnectionManager, openDatabase, openPresence } from './index.ts';
import { ConnectionsToken, DatabaseToken, PresenceToken } from './tokens.ts';

/** Binds the metadata database and the connections to all others. */
export function bindDatabases(container: Container): void {
  container.bind(DatabaseToken, {
    needs: { config: ConfigToken },
    make: ({ config }) => openDatabase(config.database, { name: 'metadata' }),
    dispose: (database) => database.close(),
  });
  container.bind(PresenceToken, {
    // Made after the database, which creates a missing file and tells the operator in words what is wrong with it.
    needs: { config: ConfigToken, database: DatabaseToken },
    make: ({ config }) => openPresence(config.database),
    dispose: (presence) => presence.dispose(),
  });
  container.bind(ConnectionsToken, {
    needs: { config: ConfigToken, outbound: OutboundToken },
    make: ({ config: { database, sqliteDir }, outbound }) =>
      new ConnectionManager({
        resolveHost: async ({ host, port, mayBePrivate: isSetBySuperAdmin }) =>
          (await outbound.resolve(host, port, { purpose: 'database', isSetBySuperAdmin })).address,
        sqliteFolder: sqliteDir,
        forbiddenFiles: 'file' in database ? [database.file] : [],
      }),
    dispose: (connections) => connections.close(),
  });
}
