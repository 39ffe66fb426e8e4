import type { Container } from '@trellis/core';
import { BusToken, MetadataCacheToken, ServerInfoToken } from '@trellis/sdk/server';
import { copySqliteFile } from '../databases/sqlite/copy-sqlite-file.ts';
import { DatabaseToken } from '../databases/tokens.ts';
import { ConfigToken, LeasesToken, LoggerToken } from '../runtime/tokens.ts';
import { createMetadataCache } from './metadata-cache.ts';
import { createMetadata } from './metadata.ts';
import { MetadataToken } from './tokens.ts';

/** Binds the metadata, which are migrated when they are created. */
export function bindMetadata(container: Container): void {
  container.bind(MetadataToken, {
    needs: {
      database: DatabaseToken,
      leases: LeasesToken,
      bus: BusToken,
      logger: LoggerToken,
      config: ConfigToken,
      info: ServerInfoToken,
    },
    make: ({ database, leases, bus, logger, config, info }) =>
      createMetadata({
        database,
        leases,
        bus,
        version: info.version,
        backUp: async (name) => {
          if (!('file' in config.database)) return;
          const copy = `${config.database.file}.before-${name}`;
          await copySqliteFile(config.database.file, copy);
          logger.warn(`The metadata were copied to ${copy} before ${name} takes something away`);
        },
        onPollError: (error) => logger.warn('The metadata database did not answer', { error }),
      }),
    dispose: (metadata) => metadata.dispose(),
  });
  container.bind(MetadataCacheToken, {
    needs: { metadata: MetadataToken },
    make: ({ metadata }) => createMetadataCache(metadata),
  });
}
