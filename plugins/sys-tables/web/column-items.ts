import type { ColumnEntity, StorageKind, TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { kindOfValues, type HostActions, type MenuContext, type MenuItem } from '@trellis/sdk/web';
import { addedColumn, askToDelete, placeBefore, tellWhereHidden } from './column-requests.ts';
import { columnPath } from './table-requests.ts';

/** Whether the column can be copied or removed: columns of a database view and keys cannot. */
function isOfTable({ table, column }: MenuContext): boolean {
  return table !== undefined && table.type !== 'view' && column !== undefined && !column.pk;
}

/** The column menu's entry that adds a copy of the column with its values, next to it in the view. */
export const duplicateColumn: MenuItem = {
  id: 'tables.duplicate-column',
  menu: 'column',
  label: 'Duplicate column',
  icon: 'copy',
  order: 10,
  permission: 'columnAdd',
  when: isOfTable,
  async run(context, actions) {
    const { t } = actions;
    const made = await addBeside(context, actions, { ending: t('copy') });
    if (made !== undefined)
      actions.toast({ severity: 'success', summary: t('Column {{title}} added', { title: made.title }) });
  },
};

/** The plain column types for each kind of values. */
const typeOfKind: Readonly<Partial<Record<StorageKind, string>>> = {
  integer: 'Number',
  bigint: 'Number',
  decimal: 'Decimal',
  float: 'Decimal',
  boolean: 'Checkbox',
  date: 'Date',
  datetime: 'DateTime',
};

/** The computed column's menu entry that saves its current values in a plain column next to it. */
export const copyAsValues: MenuItem = {
  id: 'tables.copy-as-values',
  menu: 'column',
  label: 'Copy as values',
  icon: 'clone',
  order: 11,
  permission: 'columnAdd',
  when: (context) =>
    isOfTable(context) && context.column?.virtual === true && context.column.asked !== undefined,
  async run(context, actions) {
    const { t, toast } = actions;
    const { column } = context;
    if (column === undefined) return;
    const kind = kindOfValues(column);
    const valuesAs = (kind && typeOfKind[kind]) ?? 'LongText';
    const made = await addBeside(context, actions, { ending: t('values'), valuesAs });
    if (made === undefined) return;
    const summary = t('“{{title}}” is being filled with the values of “{{column}}”', {
      title: made.title,
      column: column.title,
    });
    toast({ severity: 'success', summary });
  },
};

/** Adds a column that is made from another one, behind it in the view, and says where it is hidden. */
async function addBeside(
  { column, project, table, view }: MenuContext,
  actions: HostActions,
  { ending, valuesAs }: { readonly ending: string; readonly valuesAs?: string },
): Promise<ColumnEntity | undefined> {
  const { api, invalidate } = actions;
  if (column === undefined || table === undefined) return undefined;
  const title = `${column.title} ${ending}`;
  const taken = (table.columns ?? []).some((of) => of.title.toLowerCase() === title.toLowerCase());
  const after = await api.request<TableEntity>({
    method: 'POST',
    path: `${columnPath(column.id)}/duplicate`,
    // The server chooses the title by the project's rules.
    body: {
      ...(!taken && project?.meta?.strictNames !== true && { title }),
      ...(view && { view_id: view.id }),
      ...(valuesAs !== undefined && { values_as: valuesAs }),
    },
  });
  const made = addedColumn(table, after);
  if (made !== undefined && view !== undefined) {
    const path = `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns`;
    const columns = await api.request<readonly ViewColumnEntity[]>({ path });
    const ordered = columns.toSorted((a, b) => a.order - b.order);
    const next = ordered[ordered.findIndex((of) => of.fk_column_id === column.id) + 1];
    if (next !== undefined && next.fk_column_id !== made.id)
      await placeBefore(api, view, made.id, next.fk_column_id);
  }
  invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
  if (made !== undefined) await tellWhereHidden(actions, made, after);
  return made;
}

/** The column menu's entry that deletes the column, after a question that lists its uses. */
export const deleteColumn: MenuItem = {
  id: 'tables.delete-column',
  menu: 'column',
  label: 'Delete column',
  icon: 'trash',
  order: 1000,
  danger: true,
  permission: 'columnDelete',
  when: isOfTable,
  async run({ column, project, table, view }, actions) {
    if (column === undefined || table === undefined) return;
    if (!(await askToDelete(actions, column, project))) return;
    const { api, invalidate, t, toast } = actions;
    await api.request({ method: 'DELETE', path: columnPath(column.id) });
    invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
    toast({ severity: 'success', summary: t('Column {{title}} deleted', { title: column.title }) });
  },
};
