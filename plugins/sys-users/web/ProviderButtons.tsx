import { useAttempt, useHost, useServerData } from '@trellis/sdk/web';
import { Notice, WorkButton } from '@trellis/sdk/web/ui';

interface Provider {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
}

/** The other ways to sign in. `target`: this page's path where the person continues afterwards. */
export function ProviderButtons({ target }: { readonly target: string | null }) {
  const { t, api } = useHost();
  const { data } = useServerData<{ readonly list: readonly Provider[] }>({ path: '/api/v1/auth/providers' });
  const { isBusy, problem, attempt } = useAttempt();
  if (data === undefined || data.list.length === 0) return null;

  async function leave(id: string) {
    const path = `/api/v1/auth/providers/${encodeURIComponent(id)}/start`;
    const { url } = await api.request<{ readonly url: string }>({ method: 'POST', path });
    if (target === null) sessionStorage.removeItem(continueKey);
    else sessionStorage.setItem(continueKey, target);
    location.assign(url);
  }

  return (
    <div className="auth-providers">
      <p className="auth-or">{t('or')}</p>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {data.list.map(({ id, label, icon }) => (
        <WorkButton key={id} isBusy={isBusy} onClick={() => void attempt(() => leave(id))}>
          {icon !== undefined && <i className={`pi pi-${icon}`} aria-hidden="true" />}
          {t('Continue with {{provider}}', { provider: label })}
        </WorkButton>
      ))}
    </div>
  );
}

/** The key under which the tab stores where to continue after the provider's page. */
export const continueKey = 'trellis.sign-in.continue';
