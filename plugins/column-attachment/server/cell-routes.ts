import {
  defineRoute,
  mayRead,
  RouteAnswer,
  type RouteDefinition,
  type RouteRequest,
  type RowStore,
} from '@trellis/sdk/server';
import type { JsonSchema, AttachedFile } from '@trellis/sdk/shared';
import { attachment, cellOf, filesOf, sameFile } from '../shared/index.ts';
import { fileErrors } from './file-errors.ts';

interface FileChanges {
  readonly add?: readonly AttachedFile[];
  /** Addresses. */
  readonly remove?: readonly string[];
}

const file: JsonSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 2000 },
    title: { type: 'string', maxLength: 255 },
  },
};

const body: JsonSchema = {
  type: 'object',
  properties: {
    add: { type: 'array', maxItems: 100, items: file },
    remove: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 2000 } },
  },
};

/** Adds files to a cell and removes files from it, whatever others do to the cell at the same time. */
export function cellRoutes(rows: Pick<RowStore, 'revise'>): readonly RouteDefinition[] {
  return [
    defineRoute<Record<string, string>, object, FileChanges>({
      method: 'PATCH',
      path: '/api/v1/db/storage/cells/:orgs/:project/:table/:rowId/:column',
      permission: 'dataUpdate',
      object: { kind: 'data', project: 'project', table: 'table' },
      summary: 'Add files to a cell and remove files from it; the others stay, those of others too',
      schemas: { body },
      async handle(request) {
        const { table, column } = cellsOf(request);
        const { add = [], remove = [] } = request.body;
        const { rowId: key = '' } = request.params;
        const { result, operationId } = await rows.revise(table, { key, column }, (held) =>
          changedCell(held, { add, remove }),
        );
        if (result === undefined) throw fileErrors.create('CELL_MISSING');
        return new RouteAnswer({
          body: result,
          headers: operationId === undefined ? {} : { 'x-trellis-operation': operationId },
        });
      },
    }),
  ];
}

/** The file column in a path, by its id or its title. */
function cellsOf({ table, params: { column: name = '' } }: Pick<RouteRequest, 'table' | 'params'>) {
  const column = table?.table.columnById.get(name) ?? table?.table.columnByTitle.get(name);
  const isShown = table !== undefined && column?.type === attachment.id && mayRead(table.scope, column);
  if (!isShown) throw fileErrors.create('CELL_MISSING');
  return { table, column: column.title };
}

/** Files that the cell already holds are not added again, but get the new title. */
function changedCell(held: unknown, { add = [], remove = [] }: FileChanges): string | null {
  const kept = filesOf(held)
    .filter(({ url }) => !remove.some((gone) => sameFile(gone, url)))
    .map((one) => ({ ...one, ...titleOf(add.find(({ url }) => sameFile(url, one.url))) }));
  const added = add.filter(
    ({ url }, at) =>
      !kept.some((one) => sameFile(one.url, url)) &&
      add.findIndex((other) => sameFile(other.url, url)) === at,
  );
  return cellOf([...kept, ...added]);
}

const titleOf = (named: Partial<AttachedFile> | undefined) =>
  named?.title === undefined ? {} : { title: named.title };
