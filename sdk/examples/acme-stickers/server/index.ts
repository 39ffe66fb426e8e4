import {
  defineRoute,
  defineServerPlugin,
  RowStoreToken,
  SchemaStoreToken,
  SecretsToken,
  SharedFilesToken,
} from '@trellis/sdk/server';
import { type AttachedFile, defineErrors } from '@trellis/sdk/shared';
import { Sheets } from './sheets.ts';

const errors = defineErrors({
  NO_PICTURES: { status: 400, message: 'The cell holds no pictures; name another row or column.' },
  NO_SHEET: { status: 404, message: 'This sheet was taken back.' },
});

interface SheetBody {
  readonly row: string;
  readonly column: string;
}

/** The pictures of a cell, which holds its files as JSON. Links to other sites are none: they have no media type. */
function picturesIn(cell: unknown): readonly AttachedFile[] {
  if (typeof cell !== 'string') return [];
  const held = JSON.parse(cell) as readonly AttachedFile[];
  return held.filter(({ mimetype = '' }) => mimetype.startsWith('image/'));
}

export default defineServerPlugin({
  setup(ctx) {
    const files = ctx.get(SharedFilesToken);
    const sheets = new Sheets(ctx.kv, ctx.get(SecretsToken).key('acme-stickers.sheets'));

    ctx.register('fileGrants', sheets.grant);
    ctx.tap('projects.didPurge', ({ projectId }) => sheets.forgetProject(projectId));

    ctx.routes(
      defineRoute<Record<string, string>, Record<string, unknown>, SheetBody>({
        method: 'POST',
        path: 'tables/:tableId/sheets',
        // Who decides what a table is may also decide to show it to everybody.
        permission: 'tableUpdate',
        object: { kind: 'table', param: 'tableId' },
        summary: 'Make a sheet of the pictures in a cell',
        schemas: {
          body: {
            type: 'object',
            required: ['row', 'column'],
            properties: {
              row: { type: 'string', maxLength: 200 },
              column: { type: 'string', maxLength: 255 },
            },
          },
        },
        async handle({ scope, params: { tableId = '' }, body: { row, column } }) {
          const table = await ctx.get(SchemaStoreToken).open(scope, tableId);
          const cells = await ctx.get(RowStoreToken).read(table, row);
          const { type } = table.table.columns.find(({ title }) => title === column) ?? {};
          const pictures = type === files.columnType ? picturesIn(cells?.[column]) : [];
          if (pictures.length === 0) throw errors.create('NO_PICTURES');
          return { id: await sheets.add({ projectId: scope.projectId ?? '', pictures }) };
        },
      }),
      defineRoute({
        method: 'GET',
        path: 'sheets/:sheetId',
        permission: 'public',
        summary: 'Read the pictures of a sheet, at addresses that are its own',
        async handle({ params: { sheetId = '' } }) {
          const sheet = await sheets.find(sheetId);
          if (sheet === undefined) throw errors.create('NO_SHEET');
          return { pictures: files.readdressed(sheet.pictures, sheets.placeOf(sheetId)) };
        },
      }),
      defineRoute({
        method: 'DELETE',
        path: 'projects/:projectId/sheets/:sheetId',
        permission: 'tableUpdate',
        object: { kind: 'project', param: 'projectId' },
        summary: 'Take a sheet back: it and the addresses of its pictures end',
        async handle({ params: { projectId = '', sheetId = '' } }) {
          await sheets.remove(projectId, sheetId);
          return {};
        },
      }),
    );
  },
});
