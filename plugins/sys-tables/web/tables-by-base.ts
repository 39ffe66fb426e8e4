import { nameOfDatabase } from '#plugins/sys-projects/shared';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { Translate } from '@trellis/sdk/web';

/** Tables of one database. */
export interface TablesOfBase {
  readonly id: string;
  /** Undefined where the project has one database alone, which then needs no name. */
  readonly name: string | undefined;
  readonly tables: readonly TableEntity[];
}

/** The tables of a project by their databases, in the order of the databases; those without a table in the list are left out. */
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

/** Whether a table is in a database that was there before, which keeps it whatever is deleted here. */
export function isOfOthers(
  { base_id: id }: Pick<TableEntity, 'base_id'>,
  { bases = [], is_meta: isOwn }: Pick<ProjectEntity, 'bases' | 'is_meta'>,
): boolean {
  return (bases.find((base) => base.id === id)?.is_meta ?? isOwn) === false;
}
