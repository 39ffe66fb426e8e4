import { createHmac } from 'node:crypto';
import { cellOf, readFiles } from '#plugins/column-attachment/shared';
import {
  SecretsToken,
  type ColumnSchema,
  type FileGrant,
  type RouteRequest,
  type RowInput,
  type Secrets,
  type ServerPluginContext,
  SharedFilesToken,
} from '@trellis/sdk/server';
import type { Row, AttachedFile } from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import type { ViewLink } from './links.ts';
import { titleOfField } from './sent-row.ts';
import type { Visit, Visits } from './visits.ts';
import { visibleColumns } from './visible-columns.ts';

const grant = 'shared-views';

/**
 * Files in the view of a link have separate addresses for its visitors. They become invalid with a new link or password, the end of
 * the link, and when the column is hidden, since visitors can keep the addresses.
 */
export function linkFiles(ctx: ServerPluginContext) {
  const takingFiles = (column: ColumnSchema): ColumnSchema => {
    if (column.type === ctx.find(SharedFilesToken)?.columnType) return column;
    throw linkErrors.create('SHARED_VIEW_FILES', { column: column.title });
  };
  const key = keysOf(ctx.get(SecretsToken));
  const ofColumn = ({ link }: Visit, id: string) => ({
    grant,
    place: `${link.viewId}--${id}`,
    key: key(link, id),
  });
  return {
    /** Values of a column of the view with the addresses for the visitor. */
    inValues<Value>(visit: Visit, columnId: string, values: Value): Value {
      return ctx.find(SharedFilesToken)?.readdressed(values, ofColumn(visit, columnId)) ?? values;
    },
    /** The same for rows of the view. */
    inRows(visit: Visit, rows: readonly Row[]): readonly Row[] {
      const files = ctx.find(SharedFilesToken);
      if (files === undefined) return rows;
      const columns = visibleColumns(visit).map(({ id, title }) => ({ title, of: ofColumn(visit, id) }));
      return rows.map((row) => {
        const cells = columns.flatMap(({ title, of }) =>
          row[title] === undefined ? [] : [[title, files.readdressed(row[title], of)] as const],
        );
        return { ...row, ...Object.fromEntries(cells) };
      });
    },
    /** The most bytes of a body with files. */
    largestBody: () => ctx.find(SharedFilesToken)?.largestBody() ?? 0,
    /** @throws TrellisError if the view does not show this column, or if it accepts no files. */
    columnOf(visit: Visit, id: string): ColumnSchema {
      const column = visibleColumns(visit).find((one) => one.id === id);
      if (column === undefined) throw linkErrors.create('SHARED_VIEW_COLUMN', { column: id });
      return takingFiles(column);
    },
    /** Stores the files of a request for a column; their addresses are valid only for the row that will name them. */
    async receive(
      visit: Visit,
      column: ColumnSchema,
      { files = [], ip: address }: Pick<RouteRequest, 'files' | 'ip'>,
    ): Promise<readonly AttachedFile[]> {
      const store = ctx.get(SharedFilesToken);
      const { uuid: credentialId, projectId, tableId } = visit.link;
      const kept: AttachedFile[] = [];
      for (const file of files)
        kept.push(await store.receive(file, { projectId, tableId, column, credentialId, address }));
      return store.readdressed(kept, ofColumn(visit, column.id));
    },
    /**
     * A sent row with the real addresses of its files.
     *
     * @throws TrellisError for files that were not sent by this link
     */
    restored(visit: Visit, values: RowInput): RowInput {
      const files = ctx.find(SharedFilesToken);
      if (files === undefined) return values;
      const columns = visibleColumns(visit).filter(
        ({ type, title }) => type === files.columnType && Object.hasOwn(values, title),
      );
      const cells = columns.map(({ id, title }) => [
        title,
        files.restored(values[title], ofColumn(visit, id)),
      ]);
      return { ...values, ...Object.fromEntries(cells) };
    },
    /** The row with the files of its request, each in a field that names its column. */
    async withSent(
      visit: Visit,
      values: RowInput,
      { files: sentFiles = [], ip }: Pick<RouteRequest, 'files' | 'ip'>,
    ): Promise<RowInput> {
      const columns = new Map(visibleColumns(visit).map((column) => [column.title, column]));
      const all: Record<string, unknown> = { ...values };
      for (const file of sentFiles) {
        const title = titleOfField(file.field, (text) => columns.has(text)) ?? file.field;
        const column = columns.get(title);
        if (column === undefined) throw linkErrors.create('SHARED_VIEW_COLUMN', { column: title });
        const sent = { files: [file], ip };
        const kept = await this.receive(visit, takingFiles(column), sent);
        const had = readFiles(all[title]);
        all[title] = cellOf([...((had.ok ? had.value : null) ?? []), ...kept]);
      }
      return all;
    },
    /** Determines which files can still be read. */
    grant(visits: Pick<Visits, 'stillShown'>): FileGrant {
      return {
        id: grant,
        async keyOf(place) {
          const [viewId = '', columnId = ''] = place.split('--');
          const link = await visits.stillShown(viewId, columnId);
          return link && { key: key(link, columnId), projectId: link.projectId };
        },
      };
    },
  };
}

export type LinkFiles = ReturnType<typeof linkFiles>;

function keysOf(secrets: Secrets): (link: ViewLink, columnId: string) => Uint8Array {
  const secret = secrets.key('shared-views.files');
  return ({ uuid, passwordHash = '' }, columnId) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([uuid, passwordHash, columnId]))
      .digest();
}
