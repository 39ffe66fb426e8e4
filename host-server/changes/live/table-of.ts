import { TrellisError } from '@trellis/core';
import type { AccessService, SchemaStore, TableSchema } from '@trellis/sdk/server';

/**
 * Looks tables up by their ids, with the host's own rights: each listener's rights are asked for when an event is sent. Undefined also for
 * junction tables, since the rows that a junction row links decide whether somebody sees it.
 */
export function createTableOf(
  schema: () => Pick<SchemaStore, 'snapshot'>,
  access: Pick<AccessService, 'systemScope'>,
): (projectId: string, tableId: string) => Promise<TableSchema | undefined> {
  return async (projectId, tableId) => {
    try {
      const snapshot = await schema().snapshot(access.systemScope(projectId, 'live'));
      const isLinking = [...snapshot.links.values()].some(({ through }) => through?.tableId === tableId);
      return isLinking ? undefined : snapshot.tables.get(tableId);
    } catch (error) {
      // The project is deleted; its listeners are told so by the event `schema`.
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  };
}
