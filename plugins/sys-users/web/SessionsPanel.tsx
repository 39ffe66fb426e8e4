import { useRequestAction, useServerData, useT } from '@trellis/sdk/web';
import { ErrorNotice, pageLanguage, Skeleton, useKeptFocus, WorkButton } from '@trellis/sdk/web/ui';
import type { SessionEntity } from '../shared/index.ts';
import { deviceName } from './device-name.ts';

const path = '/api/v1/auth/sessions';
const tag = 'own-sessions';

/** The person's sessions, with buttons to end them. */
export default function SessionsPanel() {
  const t = useT();
  const { isBusy: isEnding, send } = useRequestAction([tag]);
  const { data, error, isLoading, isFetching, refetch } = useServerData<{
    readonly list: readonly SessionEntity[];
  }>({ path }, { tags: [tag] });
  // Until the list is read again, it contains the ended sessions.
  const isBusy = isEnding || isFetching;
  const { list, pressed } = useKeptFocus();
  const sessions = data?.list ?? [];
  const others = sessions.filter(({ is_current }) => !is_current);
  const moment = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  const timeOf = (time: string) => moment.format(new Date(`${time.replace(' ', 'T')}Z`));

  function end(which: string, index: number) {
    pressed(index);
    void send({ method: 'DELETE', path: `${path}${which}` }, t('The session could not be ended'));
  }

  return (
    <section className="account-panel">
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton height={52} count={2} />}
      <ul ref={list} tabIndex={-1} className="account-list" aria-busy={isBusy}>
        {sessions.map((session) => {
          const device = deviceName(session.agent) || t('Unknown device');
          return (
            <li key={session.id}>
              <i className="pi pi-desktop" aria-hidden="true" />
              <span>
                <strong>{device}</strong> {session.is_current && <em>{t('this one')}</em>}
                <small>
                  {t('since {{time}}, from {{address}}', {
                    time: timeOf(session.created_at),
                    address: session.ip || '?',
                  })}
                </small>
              </span>
              {!session.is_current && (
                <WorkButton
                  data-entry-action
                  isBusy={isBusy}
                  aria-label={t('End the session of {{device}}', { device })}
                  onClick={() => end(`/${encodeURIComponent(session.id)}`, others.indexOf(session))}
                >
                  {t('End')}
                </WorkButton>
              )}
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <WorkButton isBusy={isBusy} onClick={() => end('', 0)}>
          {t('End all others')}
        </WorkButton>
      )}
    </section>
  );
}
