import type { ProjectSnapshot } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { loadSnapshot } from './load-snapshot.ts';

/** Snapshots by project: loaded once per generation and shared by all requests. */
export interface Snapshots {
  /** Undefined for a project that does not exist or was deleted. */
  get(projectId: string): Promise<ProjectSnapshot | undefined>;
  dispose(): void;
}

export function createSnapshots(metadata: Metadata): Snapshots {
  const { database, generations } = metadata;
  const cache = new Map<string, Promise<ProjectSnapshot | undefined>>();
  const subscription = generations.onDidChange(({ scope }) => cache.delete(scope));

  function load(projectId: string): Promise<ProjectSnapshot | undefined> {
    return database.read(
      async (unit) => loadSnapshot(unit, projectId, await generations.read(unit, projectId)),
      // One moment for all of its queries, so that no column is seen without its table.
      { isolation: 'snapshot' },
    );
  }

  return {
    get(projectId) {
      let snapshot = cache.get(projectId);
      if (snapshot === undefined) {
        snapshot = load(projectId);
        cache.set(projectId, snapshot);
        const loading = snapshot;
        const forget = () => {
          if (cache.get(projectId) === loading) cache.delete(projectId);
        };
        loading.then((found) => found ?? forget(), forget);
      }
      return snapshot;
    },
    dispose() {
      void subscription.dispose();
      cache.clear();
    },
  };
}
