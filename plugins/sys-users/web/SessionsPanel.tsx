import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, pageLanguage, Skeleton } from '@trellis/sdk/web/ui';
import type { SessionEntity } from '../shared/index.ts';
import { deviceName } from './device-name.ts';

const path = '/api/v1/auth/sessions';
const tag = 'own-sessions';

/** Where the person is signed in, and the way to end it there. */
export default function SessionsPanel() {
  const host = useHost();
  const { t } = host;
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly SessionEntity[] }>(
    { path },
    { tags: [tag] },
  );
  const sessions = data?.list ?? [];
  const moment = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  const timeOf = (time: string) => moment.format(new Date(`${time.replace(' ', 'T')}Z`));

  async function end(which: string) {
    try {
      await host.api.request({ method: 'DELETE', path: `${path}${which}` });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The session could not be ended'),
        detail: messageOfError(failure, t),
      });
    }
    host.invalidate([tag]);
  }

  return (
    <section className="account-panel">
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton height={52} count={2} />}
      <ul className="account-list">
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
                <button
                  type="button"
                  className="tr-button"
                  aria-label={t('End the session of {{device}}', { device })}
                  onClick={() => void end(`/${encodeURIComponent(session.id)}`)}
                >
                  {t('End')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <button type="button" className="tr-button" onClick={() => void end('')}>
          {t('End all others')}
        </button>
      )}
    </section>
  );
}
