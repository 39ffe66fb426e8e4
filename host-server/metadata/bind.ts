import type { Container } from '@trellis/core';
import { BusToken } from '@trellis/sdk/server';
import { DatabaseToken } from '../databases/tokens.ts';
import { LoggerToken } from '../runtime/tokens.ts';
import { createMetadata } from './metadata.ts';
import { MetadataToken } from './tokens.ts';

/** Binds the metadata: migrated when it is made. */
export function bindMetadata(container: Container): void {
  container.bind(MetadataToken, {
    needs: { database: DatabaseToken, bus: BusToken, logger: LoggerToken },
    make: ({ database, bus, logger }) =>
      createMetadata({
        database,
        bus,
        onPollError: (error) => logger.warn('The metadata database did not answer', { error }),
      }),
    dispose: (metadata) => metadata.dispose(),
  });
}
