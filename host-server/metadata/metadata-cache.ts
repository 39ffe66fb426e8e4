import type { MetadataCache } from '@trellis/sdk/server';
import type { Metadata } from './metadata.ts';

/** See `MetadataCache`: all that this process keeps of the metadata hangs on the generations. */
export function createMetadataCache({ generations }: Pick<Metadata, 'generations'>): MetadataCache {
  return {
    list(scope) {
      scope.require('cacheRead');
      return Object.fromEntries(generations.known());
    },
    forget(scope) {
      scope.require('cacheClear');
      // Which plugins run is no copy of anything.
      generations.renew([...generations.known().keys()].filter((of) => of !== 'plugins'));
    },
  };
}
