import { useAttempt, useHost, useRegistryItem, useServerData } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';

type Values = Readonly<Record<string, unknown>>;

/** Contains `token` when the session has begun; otherwise another step is required. */
interface Answer {
  readonly token?: string;
  readonly told: Values;
}

const path = '/api/v1/auth/user/step';

/** A further step between the credentials and the start of the session. Its plugin provides the page. */
export default function StepPage() {
  const { t, api, session } = useHost();
  const { search } = useLocation();
  const { data, error, isLoading, refetch } = useServerData<{ readonly step: string; readonly data: Values }>(
    {
      path,
    },
  );
  const [answered, setAnswered] = useState<Answer>();
  const { isBusy, problem, attempt } = useAttempt();
  const page = useRegistryItem('signInSteps', data?.step);

  async function answer(values: Values) {
    const given = await api.request<Answer>({ method: 'POST', path, body: { answer: values } });
    if (Object.keys(given.told).length === 0) await goOn(given);
    else setAnswered(given);
  }

  /** Goes to the next step, or into the product after the last one. */
  async function goOn({ token }: Answer) {
    setAnswered(undefined);
    if (token === undefined) refetch();
    else await session.signIn(token);
  }

  return (
    <AuthCard heading={page === undefined ? t('Sign in to Trellis') : t(page.label)}>
      {isLoading && <p role="status">{t('Signing in …')}</p>}
      {error !== undefined && <Notice severity="error">{error.message}</Notice>}
      {data !== undefined && page === undefined && (
        <Notice severity="error">{t('A plugin that is needed here is missing.')}</Notice>
      )}
      {data !== undefined && page !== undefined && (
        <page.Component
          key={data.step}
          data={data.data}
          told={answered?.told}
          isBusy={isBusy}
          problem={problem}
          onAnswer={(values) => void attempt(() => answer(values))}
          onDone={() => void (answered && attempt(() => goOn(answered)))}
        />
      )}
      <p className="auth-footer">
        <Link to={`/user/authentication/signin${search}`}>{t('Back to sign-in')}</Link>
      </p>
    </AuthCard>
  );
}
