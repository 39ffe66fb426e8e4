import {
  AccessServiceToken,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { formatRowKey, type RowKey } from '@trellis/sdk/shared';
import { commentErrors } from './comment-errors.ts';

/** Finds the rows that calls about comments name, for somebody and what they want to do. */
export interface CommentPlaces {
  /** @throws TrellisError 403 without the permission, 404 for a table that the caller may not see. */
  table(asked: Asked, tableId: string): Promise<TableHandle>;
  /** @throws TrellisError as `table`, and 404 for a row that is not there for the caller. */
  row(asked: Asked, tableId: string, rowKey: string): Promise<RowPlace>;
  exists(handle: TableHandle, rowKey: string): Promise<boolean>;
}

/** A row that is there for the caller. */
export interface RowPlace {
  readonly handle: TableHandle;
  /** Its key as the row itself has it: `1` where `01` was asked for, so that all comments on a row stand in one place. */
  readonly key: RowKey;
}

/** Who asks, for what, and by which request. */
export interface Asked {
  readonly principal: Principal;
  readonly permission: string;
  readonly requestId: string;
}

/** As long as a key may be in the table of comments. */
const longestKey = 255;

export function createCommentPlaces(ctx: ServerPluginContext): CommentPlaces {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  async function table({ principal, permission, requestId }: Asked, tableId: string): Promise<TableHandle> {
    const projectId = (await access.locate('table', tableId)) ?? '';
    const scope = await access.scopeFor(principal, projectId, requestId);
    scope.require(permission);
    const handle = await schema.open(scope, tableId);
    handle.scope.require(permission);
    return handle;
  }

  const exists = (handle: TableHandle, rowKey: string) => rows.exists(handle, rowKey);

  return {
    table,
    exists,
    async row(asked, tableId, rowKey) {
      if (rowKey.length > longestKey) throw commentErrors.create('COMMENT_KEY_LONG');
      const handle = await table(asked, tableId);
      handle.scope.require('dataExist');
      const titles = handle.table.primaryKey.map(({ title }) => title);
      const row = await rows.read(handle, rowKey, { fields: titles });
      if (row === undefined) throw commentErrors.create('COMMENT_ROW_NOT_FOUND');
      return { handle, key: formatRowKey(titles.map((title) => row[title] ?? null)) };
    },
  };
}
