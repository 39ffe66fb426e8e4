import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { hasPermission, messageOfError, useHost, usePendingValue } from '@trellis/sdk/web';
import { Notice, pageLanguage } from '@trellis/sdk/web/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import { partsOf, type CommentEntity } from '../shared/index.ts';
import { CommentField } from './CommentField.tsx';

interface CommentItemProps {
  readonly entry: CommentEntity;
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  /** The comments' path on the server. */
  readonly path: string;
  readonly onChanged: () => void;
  /** Whether it was deleted while an edit of it is unsent. */
  readonly isGone: boolean;
  /** Sends an edit of a deleted comment as a new comment. Throws `ApiError`. */
  readonly onAdd: (description: string) => Promise<void>;
  /** Called with true while an edit of it is unsent. */
  readonly onDirty: (id: string, isDirty: boolean) => void;
}

/** A comment, or a change of the row in one line. */
export function CommentItem(props: CommentItemProps) {
  const { entry, project, table, path, isGone, onChanged, onDirty } = props;
  const host = useHost();
  const { t } = host;
  const [isEdited, setEdited] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    // The removed field had the focus.
    if (!isEdited && wasEdited.current && document.activeElement === document.body) pencil.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const tellDirty = useCallback((isDirty: boolean) => onDirty(entry.id, isDirty), [entry.id, onDirty]);
  const text = usePendingValue(entry.description);
  const own = `${path}/${encodeURIComponent(entry.id)}`;
  const isComment = entry.op_type === 'COMMENT';
  const isOwn = entry.is_own && hasPermission('commentRow', project);
  const mayDelete = isComment && !isGone && (isOwn || hasPermission('commentModerate', project));

  async function change(description: string) {
    if (isGone) {
      await props.onAdd(description);
      return setEdited(false);
    }
    await text.change(description, async () => {
      await host.api.request({ method: 'PATCH', path: own, body: { description } });
      return true;
    });
    setEdited(false);
    onChanged();
  }

  async function remove() {
    const agreed = await host.confirm({
      title: t('Delete this comment?'),
      message: t('Nothing brings it back.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!agreed) return;
    try {
      await host.api.request({ method: 'DELETE', path: own });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The comment could not be deleted'),
        detail: messageOfError(failure, t),
      });
    }
    onChanged();
  }

  return (
    <li className="comments-entry" data-kind={entry.op_type}>
      <p className="comments-head">
        <strong>{entry.user ?? t('Somebody')}</strong>
        <Moment time={entry.created_at} />
        {entry.is_edited && <small>{t('edited')}</small>}
        <span className="tr-gap" />
        {isComment && !isGone && isOwn && (
          <button
            ref={pencil}
            type="button"
            className="tr-icon-button"
            aria-label={t('Edit comment')}
            title={t('Edit comment')}
            onClick={() => setEdited(true)}
          >
            <i className="pi pi-pencil" aria-hidden="true" />
          </button>
        )}
        {mayDelete && (
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Delete comment')}
            title={t('Delete comment')}
            onClick={() => void remove()}
          >
            <i className="pi pi-trash" aria-hidden="true" />
          </button>
        )}
      </p>
      {isGone && <Notice severity="warn">{t('This comment was deleted meanwhile.')}</Notice>}
      {isEdited ? (
        <CommentField
          projectId={project.id}
          label={t('Edit comment')}
          action={isGone ? t('Send as a new comment') : t('Save')}
          text={text.value}
          onSend={change}
          onCancel={() => setEdited(false)}
          onDirty={tellDirty}
          takesFocus
        />
      ) : (
        <p className="comments-text">
          {isComment ? <CommentText text={text.value} /> : <Change entry={entry} table={table} />}
        </p>
      )}
    </li>
  );
}

function CommentText({ text }: { readonly text: string }) {
  return partsOf(text).map((part, at) =>
    // The parts of a text have no identity but their index.
    part.kind === 'text' ? part.text : <mark key={at}>@{part.email}</mark>,
  );
}

function Change({ entry, table }: { readonly entry: CommentEntity; readonly table: TableEntity }) {
  const { t } = useHost();
  if (entry.op_sub_type === 'INSERT') return t('added the row');
  if (entry.op_sub_type === 'DELETE') return t('deleted the row');
  const titles = (table.columns ?? [])
    .filter(({ id, system }) => !system && entry.columns.includes(id))
    .map(({ title }) => title);
  return t('changed {{columns}}', { columns: titles.join(', ') || t('the row') });
}

function Moment({ time }: { readonly time: string }) {
  const at = `${time.replace(' ', 'T')}Z`;
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
