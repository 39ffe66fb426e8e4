import { TrellisError } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { ProjectSnapshot } from './schema.ts';
import type { SchemaStore } from './schema-store.ts';

/**
 * The project as the caller may know it; undefined where it was deleted. For what outlives a project for a moment, such as a rule about
 * who may do what in it, which is asked still while the project goes.
 *
 * @throws whatever `SchemaStore.snapshot` throws but `PROJECT_NOT_FOUND`
 * @public
 */
export async function snapshotIfThere(
  schema: Pick<SchemaStore, 'snapshot'>,
  scope: AccessScope,
): Promise<ProjectSnapshot | undefined> {
  try {
    return await schema.snapshot(scope);
  } catch (error) {
    if (error instanceof TrellisError && error.code === 'PROJECT_NOT_FOUND') return undefined;
    throw error;
  }
}
