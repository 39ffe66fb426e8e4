import {
  AccessServiceToken,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { commentErrors } from './comment-errors.ts';

/** Finds the rows that calls about comments name, for somebody and what they want to do. */
export interface CommentPlaces {
  /** @throws TrellisError 403 without the permission, 404 for a table that the caller may not see. */
  table(asked: Asked, tableId: string): Promise<TableHandle>;
  /** @throws TrellisError as `table`, and 404 for a row that is not there for the caller. */
  row(asked: Asked, tableId: string, rowKey: string): Promise<TableHandle>;
  exists(handle: TableHandle, rowKey: string): Promise<boolean>;
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
      if (!(await exists(handle, rowKey))) throw commentErrors.create('COMMENT_ROW_NOT_FOUND');
      return handle;
    },
  };
}
