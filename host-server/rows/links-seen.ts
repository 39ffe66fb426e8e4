import type { LinkSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { TableChanges } from '../changes/row-change.ts';
import { DatabaseError } from '../databases/index.ts';
import { columnIn } from '../query/compile-related.ts';
import { selectHolding } from '../query/partitions.ts';
import { lockingRows, selectWhere } from '../query/select.ts';
import { ruleOfLinked } from '../schema/linking-rule.ts';
import { inParts } from '../sql/in-parts.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { Binding } from '../sql/session.ts';
import { distinctKeys, keysOfEnds, linkedKey } from './keys-of-ends.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import type { Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** Milliseconds. */
const readLimit = 15_000;
const keysAtOnce = 500;

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

/** Whether rows that were set by a condition lead only to rows that the caller may see. They are found by the values that they hold now. */
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

/**
 * What is told of a write that the database refused, perhaps because of a row of which the caller does not know: that it names a row which
 * does not exist for the caller, where it does, whatever else is wrong with it.
 */
export async function refusalOf(
  error: unknown,
  open: OpenTable,
  written: readonly (Values | undefined)[],
): Promise<unknown> {
  if (!(error instanceof DatabaseError) || error.kind !== 'unique') return error;
  for (const { link, where } of linksToRuled(open)) {
    const codecs = link.columnIds.flatMap((id) => open.plan.byId.get(id) ?? []);
    const named = written.flatMap((values) => {
      const key = codecs.map((codec) => codec.encode(values?.get(codec) ?? null));
      return key.includes(null) ? [] : [key];
    });
    const keys = distinctKeys(named);
    if (!(await areThere(open, { link, where }, keys)))
      return new DatabaseError('foreignKey', { cause: error });
  }
  return error;
}

/** Whether the other table has rows with all of these keys that meet the rule. */
async function areThere(
  { handle, context, database }: OpenTable,
  { link, where: rule }: { readonly link: LinkSchema; readonly where: Predicate },
  keys: readonly (readonly Binding[])[],
): Promise<boolean> {
  const table = handle.snapshot.tables.get(link.toTableId);
  if (table === undefined) return false;
  const ends = link.toColumnIds.map((id) => columnIn(table, id));
  const near = { ...context, table };
  const read = (statement: SqlFragment) =>
    database.read(
      (unit) => unit.rows(statement),
      readOptions(handle.scope, 'page', { timeoutMs: readLimit }),
    );
  for (const part of inParts(keys, keysAtOnce)) {
    const asked = { ends, keys: part, rule, limit: part.length };
    const { rows } = await read(selectHolding(near, ends, asked));
    const found = { keys: part, ends: rows as Binding[][], areUnique: false, areOfKeys: true };
    const named = await keysOfEnds({ near, nearIds: link.toColumnIds }, found, read);
    const there = new Set([...named.values()].flat());
    if (!part.every((key) => there.has(linkedKey(key)))) return false;
  }
  return true;
}
