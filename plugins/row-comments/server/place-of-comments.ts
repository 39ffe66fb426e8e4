import {
  defineObjectHome,
  RowStoreToken,
  SchemaStoreToken,
  type AccessScope,
  type ObjectHome,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { formatRowKey, type RowKey } from '@trellis/sdk/shared';
import { commentErrors } from './comment-errors.ts';
import type { CommentRow, CommentStore } from './comment-store.ts';

/** Finds the rows that calls about comments name, and checks the caller's permission. */
export interface CommentPlaces {
  /** @throws TrellisError 403 without the permission, 404 for a table that the caller may not see. */
  table(asked: Asked, tableId: string): Promise<TableHandle>;
  /** @throws TrellisError as `table`, and 404 for a row that does not exist for the caller. */
  row(asked: Asked, tableId: string, rowKey: string): Promise<RowPlace>;
  exists(handle: TableHandle, rowKey: string): Promise<boolean>;
}

/** A row that exists for the caller. */
export interface RowPlace {
  readonly handle: TableHandle;
  /** Its key as stored in the row: `1` for a request of `01`, so that all comments on a row have the same key. */
  readonly key: RowKey;
}

/** The caller, and the required permission. */
export interface Asked {
  readonly scope: AccessScope;
  readonly permission: string;
}

/** The longest key in the table of comments. */
const longestKey = 255;

export function createCommentPlaces(ctx: ServerPluginContext): CommentPlaces {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  async function table({ scope, permission }: Asked, tableId: string): Promise<TableHandle> {
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

/** For routes whose paths name a comment. */
export const ofComment = { kind: 'kept', home: 'comment', param: 'commentId' } as const;

/** Finds comments by id, for people who may read the comments on their rows. */
export function commentHome({
  store,
  places,
}: {
  readonly store: Pick<CommentStore, 'byId'>;
  readonly places: Pick<CommentPlaces, 'row'>;
}): ObjectHome {
  return defineObjectHome<CommentRow>({
    id: ofComment.home,
    async find(id) {
      const comment = await store.byId(id);
      return comment && { projectId: comment.project_id, tableId: comment.table_id, object: comment };
    },
    async isThere({ table_id: tableId, row_key: rowKey }, { scope }) {
      await places.row({ scope, permission: 'commentList' }, tableId, rowKey);
      return true;
    },
  });
}

/** The comment in a path, and its table. @throws TrellisError 404 for one that does not exist for the caller */
export function requireComment({ kept, table }: Pick<RouteRequest, 'kept' | 'table'>): {
  readonly comment: CommentRow;
  readonly handle: TableHandle;
} {
  if (kept === undefined || table === undefined) throw commentErrors.create('COMMENT_NOT_FOUND');
  return { comment: kept as CommentRow, handle: table };
}
