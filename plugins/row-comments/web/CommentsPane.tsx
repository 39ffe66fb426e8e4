import { hasPermission, objectsTag, useHost, useServerData, useT, type RowPaneProps } from '@trellis/sdk/web';
import { Choices, Empty, ErrorNotice, Skeleton } from '@trellis/sdk/web/ui';
import { useCallback, useEffect, useState } from 'react';
import { commentsObjectKind, type CommentEntity } from '../shared/index.ts';
import { CommentField } from './CommentField.tsx';
import { CommentItem } from './CommentItem.tsx';

const path = '/api/v1/db/meta/audits/comments';

/** A row's comments, alone or together with its changes, and a field for a new one. */
export default function CommentsPane({ project, table, rowKey, onDirty }: RowPaneProps) {
  const t = useT();
  const { api, invalidate } = useHost();
  const [shown, setShown] = useState<'comments' | 'activity'>('comments');
  const tags = [objectsTag(commentsObjectKind(table.id), project.id), `row:${table.id}:${rowKey}`];
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
  // The comments stay while the changes load, so that an edit can continue.
  const data = activity.data ?? comments.data;
  const drafts = useDrafts(onDirty);
  const listed = useListed(data, drafts.isDirty);
  const mayComment = hasPermission('commentRow', project);

  async function add(description: string) {
    const body = { ...row, description };
    await api.request({ method: 'POST', path, body, once: body });
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
      {data !== undefined && listed.length === 0 && (
        <Empty
          icon="comments"
          title={t('No comments yet')}
          text={mayComment ? t('Mention somebody with @ and they are told.') : undefined}
        />
      )}
      <ol className="comments-list">
        {listed.map((entry) => (
          <CommentItem
            key={entry.id}
            entry={entry}
            project={project}
            table={table}
            path={path}
            isGone={data?.every(({ id }) => id !== entry.id) === true}
            onChanged={() => invalidate(tags)}
            onAdd={add}
            onDirty={drafts.of}
          />
        ))}
      </ol>
    </div>
  );
}

/** Reports whether any field contains unsent text: the one for a new comment, or an edit. */
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
  return { of, ofNew, isDirty: (id: string) => ids.includes(id) };
}

/** The entries, with deleted ones at their former places while an edit of them is unsent, so that the text stays. */
function useListed(
  data: readonly CommentEntity[] | undefined,
  isDirty: (id: string) => boolean,
): readonly CommentEntity[] {
  const [last, setLast] = useState({ data, listed: data ?? [] });
  let { listed } = last;
  if (data !== undefined && data !== last.data) {
    listed = [...data];
    for (const [at, entry] of last.listed.entries()) {
      if (!isDirty(entry.id) || listed.some(({ id }) => id === entry.id)) continue;
      const before = last.listed[at - 1]?.id;
      listed = listed.toSpliced(listed.findIndex(({ id }) => id === before) + 1, 0, entry);
    }
    setLast({ data, listed });
  }
  return listed.filter((entry) => isDirty(entry.id) || data?.includes(entry) === true);
}
