import type { ProjectSnapshot } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { loadSnapshot } from './load-snapshot.ts';

/** Snapshots by project: loaded once per generation and shared by all requests. */
export interface Snapshots {
  /** Undefined for a project that does not exist or was deleted. A value when it is loaded, else a promise. */
  get(projectId: string): ProjectSnapshot | undefined | Promise<ProjectSnapshot | undefined>;
  dispose(): void;
}

export function createSnapshots(metadata: Metadata): Snapshots {
  const { database, generations } = metadata;
  const cache = new Map<string, ReturnType<Snapshots['get']>>();
  const subscription = generations.onDidChange(({ scope }) => cache.delete(scope));

  function load(projectId: string): Promise<ProjectSnapshot | undefined> {
    return database.read(
      async (unit) => loadSnapshot(unit, projectId, await generations.read(unit, projectId)),
      // One moment for all of its queries, so that no column is seen without its table.
      { isolation: 'snapshot' },
    );
  }

  function loading(projectId: string): Promise<ProjectSnapshot | undefined> {
    const loaded = load(projectId);
    cache.set(projectId, loaded);
    /** A generation that moved meanwhile has forgotten this load; what it read is for those who asked before. */
    const settle = (found: ProjectSnapshot | undefined) => {
      if (cache.get(projectId) !== loaded) return;
      if (found === undefined) cache.delete(projectId);
      else cache.set(projectId, found);
    };
    loaded.then(settle, () => settle(undefined));
    return loaded;
  }

  return {
    get: (projectId) => cache.get(projectId) ?? loading(projectId),
    dispose() {
      void subscription.dispose();
      cache.clear();
    },
  };
}
