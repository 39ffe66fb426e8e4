import type { LinkSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { TableChanges } from '../changes/row-change.ts';
import { DatabaseError } from '../databases/index.ts';
import { columnIn } from '../query/compile-related.ts';
import { lockingRows, selectWhere } from '../query/select.ts';
import { ruleOfLinked } from '../schema/linking-rule.ts';
import type { OpenTable } from './open-table.ts';
import type { TableWrite } from './table-write.ts';

type Written = Pick<TableChanges, 'changes' | 'alike' | 'set'>;

/** The links by foreign keys of a table to rows of which some do not exist for the caller, each with what a row there must meet. */
export function linksToRuled({
  handle: { seeing, table },
}: OpenTable): readonly { readonly link: LinkSchema; readonly where: Predicate }[] {
  return table.links.flatMap((link) => {
    const where = link.kind === 'belongsTo' ? ruleOfLinked(seeing, link) : undefined;
    return where === undefined ? [] : [{ link, where }];
  });
}

/**
 * Holds the foreign keys that a write set against what the caller sees, whichever way they came to be set: one statement for each link
 * and 500 rows, and none where every row at its other end exists for the caller.
 *
 * @throws DatabaseError `foreignKey` for a row that does not exist for the caller, as the database throws it for one that is not there.
 */
export async function assertLinksSeen(write: TableWrite, written: Written): Promise<void> {
  for (const { link, where } of linksToRuled(write.open)) {
    const isSeen: Predicate = { kind: 'some', linkId: link.id, where };
    const isEmpty = link.columnIds.map((columnId): Predicate => ({
      kind: 'isNull',
      item: { kind: 'column', columnId },
    }));
    const rule: Predicate = { kind: 'or', items: [...isEmpty, isSeen] };
    const areSeen =
      written.set === undefined
        ? await write.allMeet(rowsLinked(link, written), rule)
        : await meetsAsSet(write, { link, rule }, written.set.patch);
    if (!areSeen) throw new DatabaseError('foreignKey');
  }
}

/** The keys of the rows whose link was set. */
function rowsLinked({ columnIds }: LinkSchema, { changes, alike }: Written): readonly string[] {
  if (alike !== undefined) {
    const places = columnIds.map((id) => alike.columns.indexOf(id));
    return alike.rows.flatMap(([rowKey, , after]) =>
      places.some((place) => (after?.[place] ?? null) !== null) ? [rowKey] : [],
    );
  }
  return changes.flatMap(({ rowKey, after }) =>
    rowKey !== undefined && setsAny(after, columnIds) ? [rowKey] : [],
  );
}

function setsAny(values: ValuesByColumn | undefined, columnIds: readonly string[]): boolean {
  return columnIds.some((id) => (values?.[id] ?? null) !== null);
}

/** The same for rows that were set by a condition, which are told by what they hold now. */
async function meetsAsSet(
  { open, plan, context, unit }: TableWrite,
  { link, rule }: { readonly link: LinkSchema; readonly rule: Predicate },
  patch: ValuesByColumn,
): Promise<boolean> {
  if (!setsAny(patch, link.columnIds)) return true;
  const set = link.columnIds.flatMap((id) => {
    const value = patch[id];
    const codec = plan.byId.get(id);
    return value === undefined || codec === undefined
      ? []
      : [[columnIn(open.handle.table, id), codec.encode(value)] as const];
  });
  const unseen: Predicate = { kind: 'not', item: rule };
  const statement = lockingRows(
    context,
    (locked) => selectWhere(locked, plan.table.primaryKey, set, unseen),
    1,
  );
  return (await unit.rows(statement)).rows.length === 0;
}
