import type { MetadataCache } from '@trellis/sdk/server';
import type { Metadata } from './metadata.ts';

/** See `MetadataCache`: everything that this process caches of the metadata depends on the generations. */
export function createMetadataCache({ generations }: Pick<Metadata, 'generations'>): MetadataCache {
  return {
    list(scope) {
      scope.require('cacheRead');
      return Object.fromEntries(generations.known());
    },
    forget(scope) {
      scope.require('cacheClear');
      // The set of running plugins is no cached copy.
      generations.renew([...generations.known().keys()].filter((of) => of !== 'plugins'));
    },
  };
}
