import {
  defineRoute,
  RowStoreToken,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import { formula } from '../shared/index.ts';

interface PreviewBody {
  readonly formula: string;
  /** The column of the formula; absent for a new one. */
  readonly columnId?: string;
}

const shownRows = 3;

/** The result of a formula before it is saved: computed by the database, as it will be in the list. */
export function previewRoute(ctx: ServerPluginContext): RouteDefinition {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  return defineRoute<Record<string, string>, Record<string, unknown>, PreviewBody>({
    method: 'POST',
    path: 'tables/:tableId/formula-preview',
    permission: 'columnAdd',
    object: { kind: 'table', param: 'tableId' },
    summary: 'What a formula gives in the first rows of a table',
    schemas: {
      body: {
        type: 'object',
        properties: {
          formula: { type: 'string', minLength: 1, maxLength: 10_000 },
          columnId: { type: 'string', maxLength: 40 },
        },
        required: ['formula'],
      },
    },
    async handle({ scope, params, body, signal }) {
      const { columnId, formula: text } = body;
      const draft = { columnId, type: formula.id, meta: { formula: text } };
      const { handle, column } = await schema.openDraft(scope, params['tableId'] ?? '', draft);
      const page = { limit: shownRows, offset: 0 };
      const list = await rows.list(handle, { fields: [column.title] }, page, signal);
      return { list: list.map((row): CellValue => row[column.title] ?? null) };
    },
  });
}
