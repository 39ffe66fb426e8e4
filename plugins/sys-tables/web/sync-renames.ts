import type { DetectedChange, TableDiff } from '../shared/index.ts';

/** Something that is missing in the database, and its possible new names. */
export interface Renaming {
  /** The id of the project's table or column. */
  readonly id: string;
  /** Possible new names. */
  readonly candidates: readonly string[];
  /** The most likely new name. */
  readonly suggested: string | undefined;
}

const columnRemoved = /_COLUMN_REMOVE$/;
const columnAdded = /_COLUMN_ADD$/;

/** The possible renaming behind a change that reports something as removed. */
export function renamingOf(
  change: DetectedChange,
  table: TableDiff,
  all: readonly TableDiff[],
): Renaming | undefined {
  const { type, id, colId, renamedTo } = change;
  if (columnRemoved.test(type) && typeof colId === 'string') {
    const added = table.detectedChanges.filter((of) => columnAdded.test(of.type));
    return choice(
      colId,
      added.flatMap(({ cn }) => cn ?? []),
      renamedTo,
    );
  }
  if ((type === 'TABLE_REMOVE' || type === 'VIEW_REMOVE') && id !== undefined) {
    const isNew = ({ detectedChanges }: TableDiff) => detectedChanges.some((of) => /_NEW$/.test(of.type));
    const names = all.filter((of) => of.type === table.type && isNew(of)).map((of) => of.table_name);
    return choice(id, names, renamedTo);
  }
  return undefined;
}

function choice(id: string, candidates: readonly string[], suggested: string | undefined) {
  return candidates.length === 0 ? undefined : { id, candidates, suggested };
}

/** The new names by id: the chosen ones, or else the suggested ones. An empty text means that it was deleted. */
export function chosenRenames(
  tables: readonly TableDiff[],
  chosen: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const renamings = tables.flatMap((table) =>
    table.detectedChanges.flatMap((change) => renamingOf(change, table, tables) ?? []),
  );
  return new Map(
    renamings.flatMap(({ id, suggested = '' }) => {
      const name = chosen.get(id) ?? suggested;
      return name === '' ? [] : [[id, name] as const];
    }),
  );
}

/** Whether a change reports something as new that is only renamed, by the person's choice. */
export function isRenamed(
  { type, cn }: DetectedChange,
  table: TableDiff,
  all: readonly TableDiff[],
  renames: ReadonlyMap<string, string>,
): boolean {
  const isOf = (change: DetectedChange, of: TableDiff, name: string | undefined) => {
    const id = renamingOf(change, of, all)?.id;
    return id !== undefined && name !== undefined && renames.get(id) === name;
  };
  if (columnAdded.test(type)) return table.detectedChanges.some((change) => isOf(change, table, cn));
  if (/_NEW$/.test(type))
    return all.some((of) => of.detectedChanges.some((change) => isOf(change, of, table.table_name)));
  return false;
}
