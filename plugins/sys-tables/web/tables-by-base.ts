import { nameOfDatabase } from '#plugins/sys-projects/shared';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { Translate } from '@trellis/sdk/web';

/** Tables of one database. */
export interface TablesOfBase {
  readonly id: string;
  /** Undefined if the project has only one database, which then needs no name. */
  readonly name: string | undefined;
  readonly tables: readonly TableEntity[];
}

/** A project's tables grouped by database, in the databases' order; databases without a table in the list are omitted. */
export function tablesByBase(
  tables: readonly TableEntity[],
  { bases = [] }: Pick<ProjectEntity, 'bases'>,
  t: Translate,
): readonly TablesOfBase[] {
  if (bases.length < 2) return [{ id: '', name: undefined, tables }];
  return bases
    .map((base) => ({
      id: base.id,
      name: nameOfDatabase(base, t),
      tables: tables.filter(({ base_id: id }) => id === base.id),
    }))
    .filter((group) => group.tables.length > 0);
}

/** Whether a table is in an external database, which keeps it even if it is deleted here. */
export function isOfOthers(
  { base_id: id }: Pick<TableEntity, 'base_id'>,
  { bases = [], is_meta: isOwn }: Pick<ProjectEntity, 'bases' | 'is_meta'>,
): boolean {
  return (bases.find((base) => base.id === id)?.is_meta ?? isOwn) === false;
}
