import { useAttempt, useHost } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, PopoverButton, Skeleton } from '@trellis/sdk/web/ui';
import type { NoticeEntity } from '../shared/index.ts';
import { noticesPath, noticesTag, useNotices } from './use-notices.ts';

/** How much the person was told and has not read, and on a click what it is. */
export default function NoticeBell() {
  const { t } = useHost();
  const notices = useNotices();
  const unread = notices.data?.unread ?? 0;
  return (
    <PopoverButton
      icon="bell"
      label={t('Notifications')}
      description={
        unread === 0
          ? undefined
          : t('Notifications: {{count}} unread', { count: unread, one: 'Notifications: {{count}} unread' })
      }
      count={unread}
      compact
    >
      {(close) => <NoticePanel {...notices} onOpen={close} />}
    </PopoverButton>
  );
}

function NoticePanel({
  data,
  error,
  refetch,
  onOpen,
}: ReturnType<typeof useNotices> & { readonly onOpen: () => void }) {
  const { t, api, invalidate, navigate } = useHost();
  const { problem, attempt } = useAttempt();
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={48} count={2} />;
  if (data.list.length === 0)
    return (
      <p className="tr-note">{t('Nobody has told you anything yet. Mentions in comments appear here.')}</p>
    );

  async function markRead(ids?: readonly string[]) {
    await attempt(() => api.request({ method: 'POST', path: `${noticesPath}/read`, body: { ids } }));
    invalidate([noticesTag]);
  }

  function open(notice: NoticeEntity) {
    if (!notice.is_read) void markRead([notice.id]);
    navigate(addressOf(notice));
    onOpen();
  }

  return (
    <>
      {data.unread > 0 && (
        <button type="button" className="tr-link" onClick={() => void markRead()}>
          {t('Mark all as read')}
        </button>
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      <ul className="notices">
        {data.list.map((notice) => (
          <li key={notice.id}>
            <button type="button" data-unread={!notice.is_read} onClick={() => open(notice)}>
              <strong>{wordsOf(notice, t)}</strong>
              <span>
                {notice.project.title} · {notice.table.title}
              </span>
              <Moment at={notice.at} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function wordsOf({ kind, actor }: NoticeEntity, t: ReturnType<typeof useHost>['t']): string {
  return kind === 'mention'
    ? t('{{person}} mentioned you in a comment', { person: actor })
    : t('{{person}} has news for you', { person: actor });
}

/** The row that a notice is about, in the page. */
function addressOf({ kind, project, table, row_id: row }: NoticeEntity): string {
  const query = new URLSearchParams({ name: table.title, dbalias: table.id, type: 'table', row });
  if (kind === 'mention') query.set('pane', 'comments');
  return `/nc/${encodeURIComponent(project.id)}?${query.toString()}`;
}

function Moment({ at }: { readonly at: string }) {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
