import type { LiveChannel } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import type { AnnounceSchemaChange } from '../../schema/schema-changes.ts';
import type { HookCaller } from '../../schema/schema-store-parts.ts';

/** Reports a committed schema change to browsers and to the hook `schema.didChange`. */
export function createAnnounceSchemaChange(deps: {
  readonly metadata: Metadata;
  readonly live: LiveChannel;
  readonly hooks: HookCaller;
}): AnnounceSchemaChange {
  const { metadata, live, hooks } = deps;
  return ({ projectId, tableId, viewId, requestId }) => {
    const generation = metadata.generations.current(projectId);
    live.publish(
      tableId !== undefined && viewId !== undefined
        ? { kind: 'view', projectId, tableId, viewId, requestId }
        : { kind: 'schema', projectId, tableId, generation, requestId },
    );
    void hooks.call('schema.didChange', { projectId, tableId, viewId, generation, requestId });
  };
}
