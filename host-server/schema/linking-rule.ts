import type { AccessScope, LinkSchema, ProjectSnapshot, TableHandle } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';

/** Which rows of a table are there for a caller: those that are seen, or those of them that may be changed. */
export type RowsLeft = 'seen' | 'changed';

type Linking = Pick<TableHandle, 'scope' | 'snapshot' | 'table'>;

const noRow: Predicate = { kind: 'always', value: false };

/**
 * What the row at the other end of a link must meet to exist for the caller; undefined where every row does. Of a table that is not
 * reached no row exists.
 */
export function ruleOfLinked(scope: AccessScope, { toTableId }: LinkSchema): Predicate | undefined {
  return scope.reaches(toTableId) ? scope.rowPredicate(toTableId) : noRow;
}

/**
 * What a row that only links two others must meet: both of them are there for the caller, and to change it, one of them may be changed.
 * Undefined for other tables, and where no rule says anything about either end.
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
  // Where one end may be changed by everybody who sees it, seeing it is enough.
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

/** Of each table whose rows link those of others, the columns that name these. */
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
