import { hasPermission, objectsTag, useServerData, type RowPaneProps } from '@trellis/sdk/web';
import { commentsObjectKind } from '../shared/index.ts';

/** The number of a row's comments; draws nothing if there are none. */
export function CommentCount({ project, table, rowKey }: RowPaneProps) {
  const mayCount = hasPermission('commentsCount', project);
  const { data } = useServerData<readonly { readonly count: number }[]>(
    mayCount
      ? {
          path: '/api/v1/db/meta/audits/comments/count',
          query: { fk_model_id: table.id, ids: [rowKey] },
        }
      : undefined,
    { tags: [objectsTag(commentsObjectKind(table.id), project.id)] },
  );
  const count = data?.[0]?.count ?? 0;
  return count === 0 ? null : <span className="tr-count">{count}</span>;
}
