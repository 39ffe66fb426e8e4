import type { ProjectSnapshot } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { KeptValues } from '../../metadata/kept-values.ts';
import { loadSnapshot } from './load-snapshot.ts';

/** Snapshots by project, loaded once per generation and shared by all requests. */
export interface Snapshots {
  /** Undefined for a project that does not exist or was deleted. Not a promise if it is loaded already. */
  get(projectId: string): ProjectSnapshot | undefined | Promise<ProjectSnapshot | undefined>;
  dispose(): void;
}

export function createSnapshots(metadata: Metadata): Snapshots {
  const { database, generations } = metadata;
  const kept = new KeptValues<ProjectSnapshot | undefined>();
  const subscription = generations.onDidChange(({ scope }) => kept.forget(scope));

  function load(projectId: string): Promise<ProjectSnapshot | undefined> {
    return database.read(
      async (unit) => loadSnapshot(unit, projectId, await generations.read(unit, projectId)),
      // All queries read the state of one moment, so that no column is loaded without its table.
      { isolation: 'snapshot' },
    );
  }

  return {
    get: (projectId) => kept.get(projectId, () => load(projectId)),
    dispose() {
      void subscription.dispose();
      kept.forget();
    },
  };
}
