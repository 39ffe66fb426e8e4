import { dataPath, type Row, type TableEntity } from '@trellis/sdk/shared';
import { type KeptAnswers, keyOfRow } from '@trellis/sdk/web';
import { linkedRowsOf } from '../shared/index.ts';
import { linkOf, tableRequest } from './link-calls.ts';

/** A belongs-to link is stored in the row's foreign key. */
export const keptLinks: KeptAnswers = {
  columnsOf(column) {
    const link = linkOf(column);
    return link?.type === 'bt' && link.childColumnId !== undefined ? [link.childColumnId] : [];
  },
  async valuesOf(value, { column, project, request }) {
    const link = linkOf(column);
    const [linked] = linkedRowsOf(value);
    if (link?.type !== 'bt' || link.childColumnId === undefined || linked === undefined) return undefined;
    const other = await request<TableEntity>(tableRequest(link.tableId));
    const columns = other.columns ?? [];
    const parent = columns.find(({ id }) => id === link.parentColumnId);
    const rowKey = keyOfRow(other, linked);
    // One column does not identify a row with a composite key.
    if (parent === undefined || rowKey === undefined || columns.filter(({ pk }) => pk).length > 1)
      return undefined;
    const own = Object.hasOwn(linked, parent.title)
      ? linked
      : await request<Row>({
          path: dataPath(project.id, other.id, rowKey),
          query: { fields: parent.title },
        });
    return { [link.childColumnId]: own[parent.title] ?? null };
  },
};
