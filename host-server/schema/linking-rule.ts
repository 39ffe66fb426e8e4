import type { AccessScope, LinkSchema, ProjectSnapshot, TableHandle } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';

/** Which rows of a table a caller gets: all that they may see, or only those that they may change. */
export type RowsLeft = 'seen' | 'changed';

type Linking = Pick<TableHandle, 'scope' | 'snapshot' | 'table'>;

const noRow: Predicate = { kind: 'always', value: false };

/**
 * The condition under which the row at the other end of a link is visible to the caller; undefined when every row is. In a table
 * out of the caller's reach no row is visible.
 */
export function ruleOfLinked(scope: AccessScope, { toTableId }: LinkSchema): Predicate | undefined {
  return scope.reaches(toTableId) ? scope.rowPredicate(toTableId) : noRow;
}

/**
 * The condition on rows that only link two others: both of these must be visible to the caller, and to change the row, one of
 * them must be changeable. Undefined for other tables, and when no rule applies to either end.
 */
export function linkingRule({ scope, snapshot, table }: Linking, left: RowsLeft): Predicate | undefined {
  const columns = linkingColumns(snapshot).get(table.id);
  if (columns === undefined) return undefined;
  const ends = table.links.filter(
    ({ kind, columnIds }) => kind === 'belongsTo' && columnIds.every((id) => columns.has(id)),
  );
  const items = ends.flatMap((end): readonly Predicate[] => {
    const where = ruleOfLinked(scope, end);
    return where === undefined ? [] : [{ kind: 'some', linkId: end.id, where }];
  });
  // If everybody who sees the rows of one end may change them, seeing them is enough.
  const isLimited = ({ toTableId }: LinkSchema) => scope.changing(toTableId) !== scope;
  if (left === 'changed' && ends.length > 0 && ends.every(isLimited)) {
    const changeable = ends.map((end): Predicate => {
      const where = ruleOfLinked(scope.changing(end.toTableId), end);
      return { kind: 'some', linkId: end.id, ...(where && { where }) };
    });
    items.push({ kind: 'or', items: changeable });
  }
  return items.length === 0 ? undefined : { kind: 'and', items };
}

const known = new WeakMap<ProjectSnapshot, ReadonlyMap<string, ReadonlySet<string>>>();

/** The columns of each junction table that name the rows it links. */
function linkingColumns(snapshot: ProjectSnapshot): ReadonlyMap<string, ReadonlySet<string>> {
  let found = known.get(snapshot);
  if (found === undefined) {
    const made = new Map<string, Set<string>>();
    for (const { through } of snapshot.links.values()) {
      if (through === undefined) continue;
      const columns = made.get(through.tableId) ?? new Set<string>();
      made.set(through.tableId, columns);
      for (const id of [...through.columnIds, ...through.toColumnIds]) columns.add(id);
    }
    found = made;
    known.set(snapshot, found);
  }
  return found;
}
