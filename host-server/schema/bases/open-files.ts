import type { AccessScope } from '@trellis/sdk/server';
import type { Database, SqliteTarget } from '../../databases/database.ts';
import { models } from '../../metadata/models/models.ts';
import { isOutage } from '../../sql/database-error.ts';
import type { Unit } from '../../sql/unit.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { BaseDatabases } from './base-databases.ts';

interface OpenBase {
  /** The sealed address. */
  readonly config: string;
  readonly projectId: string;
  readonly title: string;
}

/** Thrown when a base was opened after the files were checked. */
class FilesChanged extends Error {}

/** Throws, in a transaction of the metadata, when a project has the file open. */
export type AssertFree = (unit: Unit) => Promise<void>;

/**
 * Runs a change that opens files: two bases on one file would not see each other's changes.
 *
 * Files are checked outside of the transaction, since a disk that hangs must not block the metadata. When the transaction finds a
 * base whose file was not checked, it ends and `work` begins again.
 *
 * @throws TrellisError 409 `FILE_OPEN_AS`, or `FILE_OPEN` where the caller may not know the project.
 */
export async function whileFilesAreFree<T>(
  of: { readonly database: Database; readonly databases: BaseDatabases },
  scope: AccessScope,
  fileIds: readonly string[],
  work: (assertFree: AssertFree) => Promise<T>,
): Promise<T> {
  const { database, databases } = of;

  async function fileOf({ config }: OpenBase): Promise<string | undefined> {
    const file = fileTargetOf(databases, config);
    return file && databases.fileOf(file).catch(() => undefined);
  }

  if (fileIds.length === 0) return work(() => Promise.resolve());
  for (;;) {
    const bases = await database.read((unit) => openBases(unit));
    const files = new Map(
      await Promise.all(bases.map(async (base) => [base.config, await fileOf(base)] as const)),
    );
    try {
      return await work(async (unit) => {
        for (const base of await openBases(unit)) {
          if (!files.has(base.config)) throw new FilesChanged();
          if (fileIds.includes(files.get(base.config) ?? '')) throw await refusal(unit, scope, base);
        }
      });
    } catch (error) {
      if (!(error instanceof FilesChanged)) throw error;
    }
  }
}

async function refusal(unit: Unit, { principal }: AccessScope, open: OpenBase): Promise<Error> {
  const { GrantModel } = await models();
  const { projectId, title: project } = open;
  const grant = await GrantModel.query(unit.knex).findOne({
    project_id: projectId,
    account_id: principal.id,
  });
  const mayKnow = grant !== undefined && principal.onlyProjects?.includes(projectId) !== false;
  return mayKnow
    ? schemaErrors.create('FILE_OPEN_AS', { project, projectId })
    : schemaErrors.create('FILE_OPEN');
}

async function openBases(unit: Unit): Promise<readonly OpenBase[]> {
  const { ProjectModel } = await models();
  return ProjectModel.query(unit.knex)
    .alias('project')
    .joinRelated('bases')
    .whereNotNull('bases.config')
    .whereNull('project.deleted_at')
    .select('bases.config', 'project.id as projectId', 'project.title')
    .castTo<readonly OpenBase[]>();
}

/** The file of a sealed connection; undefined for a server, and for a kind that is not registered. */
export function fileTargetOf(
  databases: Pick<BaseDatabases, 'unseal' | 'targetOf'>,
  config: string,
): SqliteTarget | undefined {
  try {
    const target = databases.targetOf(databases.unseal(config));
    return 'file' in target ? target : undefined;
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}
