import { hasPermission, useHost, useServerData, useT, type RowPaneProps } from '@trellis/sdk/web';
import { Choices, Empty, ErrorNotice, Skeleton } from '@trellis/sdk/web/ui';
import { useCallback, useEffect, useState } from 'react';
import { commentsObjectKind, type CommentEntity } from '../shared/index.ts';
import { CommentField } from './CommentField.tsx';
import { CommentItem } from './CommentItem.tsx';

const path = '/api/v1/db/meta/audits/comments';

/** The comments on a row, alone or between what was changed in it, and a place to write one. */
export default function CommentsPane({ project, table, rowKey, onDirty }: RowPaneProps) {
  const t = useT();
  const { api, invalidate } = useHost();
  const [shown, setShown] = useState<'comments' | 'activity'>('comments');
  const tags = [`objects:${commentsObjectKind(table.id)}:${project.id}`, `row:${table.id}:${rowKey}`];
  const row = { fk_model_id: table.id, row_id: rowKey };
  const comments = useServerData<readonly CommentEntity[]>(
    { path, query: { ...row, comments_only: true } },
    { tags },
  );
  const activity = useServerData<readonly CommentEntity[]>(
    shown === 'activity' ? { path, query: row } : undefined,
    { tags },
  );
  const { error, refetch } = shown === 'activity' ? activity : comments;
  // The comments stay while the changes between them are on their way: an edit of one goes on.
  const data = activity.data ?? comments.data;
  const drafts = useDrafts(onDirty);
  const mayComment = hasPermission('commentRow', project);

  async function add(description: string) {
    await api.request({ method: 'POST', path, body: { ...row, description } });
    invalidate(tags);
  }

  return (
    <div className="comments">
      <Choices<'comments' | 'activity'>
        label={t('What is listed')}
        value={shown}
        options={[
          { value: 'comments', label: t('Comments') },
          { value: 'activity', label: t('Activity') },
        ]}
        onChange={setShown}
      />
      {mayComment && (
        <CommentField
          projectId={project.id}
          label={t('Write a comment')}
          action={t('Comment')}
          onSend={add}
          onDirty={drafts.ofNew}
          takesFocus
        />
      )}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={48} count={3} />}
      {data?.length === 0 && (
        <Empty
          icon="comments"
          title={t('No comments yet')}
          text={mayComment ? t('Mention somebody with @ and they are told.') : undefined}
        />
      )}
      <ol className="comments-list">
        {data?.map((entry) => (
          <CommentItem
            key={entry.id}
            entry={entry}
            project={project}
            table={table}
            path={path}
            onChanged={() => invalidate(tags)}
            onDirty={drafts.of}
          />
        ))}
      </ol>
    </div>
  );
}

/** Tells whether any field holds something that is not sent: the one for a new comment, or an edit of one that is there. */
function useDrafts(onDirty: RowPaneProps['onDirty']) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const of = useCallback((id: string, isDirty: boolean) => {
    setIds((before) => [...before.filter((other) => other !== id), ...(isDirty ? [id] : [])]);
  }, []);
  const ofNew = useCallback((isDirty: boolean) => of('', isDirty), [of]);
  const isDirty = ids.length > 0;
  useEffect(() => {
    if (!isDirty || onDirty === undefined) return;
    onDirty(true);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  return { of, ofNew };
}
