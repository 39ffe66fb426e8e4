import { TrellisError } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { ProjectSnapshot } from './schema.ts';
import type { SchemaStore } from './schema-store.ts';

/**
 * The project as the caller may see it; undefined if it was deleted. For code that may still run while a project is being
 * deleted, such as an access rule.
 *
 * @throws the errors of `SchemaStore.snapshot` except `PROJECT_NOT_FOUND`
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
