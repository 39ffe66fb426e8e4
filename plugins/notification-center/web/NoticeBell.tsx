import { addressOfTab, messageOfRefusal, useAttempt, useHost } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, PopoverButton, Skeleton } from '@trellis/sdk/web/ui';
import type { NoticeEntity } from '../shared/index.ts';
import { noticesPath, noticesTag, useNotices, useUnreadNotices } from './use-notices.ts';

/** The number of unread notices; a click shows the notices. */
export default function NoticeBell() {
  const { t } = useHost();
  const unread = useUnreadNotices().data?.unread ?? 0;
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
      {(close) => (
        <>
          <NoticePanel onOpen={close} />
          <SettingsLink onOpen={close} />
        </>
      )}
    </PopoverButton>
  );
}

function NoticePanel({ onOpen }: { readonly onOpen: () => void }) {
  const { t, api, invalidate, navigate } = useHost();
  const { data, error, refetch } = useNotices();
  const { problem, attempt } = useAttempt();
  const failure = error !== undefined && <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return failure || <Skeleton height={48} count={2} />;
  if (data.list.length === 0)
    return (
      <>
        {failure}
        <p className="tr-note notices-none">
          {t(
            'No notifications yet. Mentions in comments appear here, and schedules, automations and webhooks of yours that fail.',
          )}
        </p>
      </>
    );

  async function mark(as: 'read' | 'unread', ids?: readonly string[]) {
    await attempt(() => api.request({ method: 'POST', path: `${noticesPath}/${as}`, body: { ids } }));
    invalidate([noticesTag]);
  }

  function open(notice: NoticeEntity) {
    if (!notice.is_read) void mark('read', [notice.id]);
    navigate(addressOf(notice));
    onOpen();
  }

  return (
    <>
      {failure}
      {data.unread > 0 && (
        <button type="button" className="tr-link" onClick={() => void mark('read')}>
          {t('Mark all as read')}
        </button>
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      <ul className="notices">
        {data.list.map((notice) => (
          <li key={notice.id} data-unread={!notice.is_read}>
            <button type="button" className="notices-open" onClick={() => open(notice)}>
              <strong>{t(notice.text, { person: notice.actor })}</strong>
              <span>
                {[notice.project.title, notice.table?.title, notice.title, notice.row_title]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {notice.says !== null && <q className="notices-says">{notice.says}</q>}
              {notice.reason !== null && <span>{messageOfRefusal(notice.reason, t)}</span>}
              <Moment at={notice.at} />
            </button>
            <MarkButton isRead={notice.is_read} onMark={(as) => void mark(as, [notice.id])} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Marks one notice as read without opening it, or as not read, so that it is not forgotten. */
function MarkButton(props: { readonly isRead: boolean; readonly onMark: (as: 'read' | 'unread') => void }) {
  const { t } = useHost();
  const label = props.isRead ? t('Mark as unread') : t('Mark as read');
  return (
    <button
      type="button"
      className="tr-icon-button tr-icon-button--small"
      aria-label={label}
      title={label}
      onClick={() => props.onMark(props.isRead ? 'unread' : 'read')}
    >
      <i className={props.isRead ? 'pi pi-envelope' : 'pi pi-check'} aria-hidden="true" />
    </button>
  );
}

/** The way to where people choose what they are told. */
function SettingsLink({ onOpen }: { readonly onOpen: () => void }) {
  const { t, navigate } = useHost();
  return (
    <footer className="notices-settings">
      <button
        type="button"
        className="tr-link"
        onClick={() => {
          onOpen();
          navigate('/user/settings/notifications');
        }}
      >
        <i className="pi pi-cog" aria-hidden="true" /> {t('Notification settings')}
      </button>
    </footer>
  );
}

/** The address of a notice's subject: a row, an object of a table, or a tab of the project. */
function addressOf({ tab, pane, project, table, row_id: row, opens }: NoticeEntity): string {
  const opened = opens === null ? {} : { [opens.param]: opens.value };
  if (table !== null) {
    const ofTable = { type: 'table', key: table.id, name: table.title };
    return addressOfTab(project.id, ofTable, {
      ...(row !== '' && { row, ...(pane !== '' && { pane }) }),
      ...opened,
    });
  }
  return tab === ''
    ? `/nc/${encodeURIComponent(project.id)}`
    : addressOfTab(project.id, { type: tab, key: tab }, opened);
}

function Moment({ at }: { readonly at: string }) {
  const format = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
