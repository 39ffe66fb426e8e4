import { hostObjectKinds } from '@trellis/sdk/shared';
import { askBeforeLeaving, objectsTag, useAttempt, useHost, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';
import { CodeForm } from './CodeForm.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface State {
  readonly isSetUp: boolean;
  readonly recoveryCodesLeft: number;
  readonly isRequired: boolean;
}

interface Setup {
  readonly secret: string;
  readonly uri: string;
  readonly setup: string;
}

const path = '/api/v1/two-factor';
/** A setting decides whether it is required. */
const tags = ['plugins', objectsTag(hostObjectKinds.pluginSettings)];

/** The person's second factor: sets it up, shows how many recovery codes are left, and switches it off. */
export default function FactorPanel() {
  const { t, api } = useHost();
  const state = useServerData<State>({ path: `${path}/state` }, { tags });
  const [setup, setSetup] = useState<Setup>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { isBusy, problem, attempt } = useAttempt();
  const hasCodes = codes !== undefined;
  // The codes are not shown again.
  useEffect(() => (hasCodes ? askBeforeLeaving() : undefined), [hasCodes]);
  const send = <T,>(call: string, body?: object) =>
    api.request<T>({ method: 'POST', path: `${path}/${call}`, body });

  async function confirm(code: string, begun: string) {
    const body = { code, setup: begun };
    const { recoveryCodes } = await send<{ readonly recoveryCodes: readonly string[] }>('confirm', body);
    setCodes(recoveryCodes);
    setSetup(undefined);
    state.refetch();
  }

  async function switchOff(code: string) {
    await send('off', { code });
    state.refetch();
  }

  function content() {
    if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
    if (setup !== undefined)
      return (
        <FactorSetup
          secret={setup.secret}
          uri={setup.uri}
          isBusy={isBusy}
          problem={problem}
          onCode={(code) => void attempt(() => confirm(code, setup.setup))}
        />
      );
    if (state.data === undefined)
      return state.error === undefined ? (
        <Skeleton height={48} />
      ) : (
        <ErrorNotice message={state.error.message} onRetry={state.refetch} />
      );
    if (!state.data.isSetUp)
      return (
        <>
          <p>{t('After your password, a code of your phone is asked for when you sign in.')}</p>
          {problem !== undefined && <Notice severity="error">{problem}</Notice>}
          <WorkButton
            className="tr-button tr-button--primary"
            isBusy={isBusy}
            onClick={() => void attempt(async () => setSetup(await send<Setup>('begin')))}
          >
            {t('Set up')}
          </WorkButton>
        </>
      );
    return (
      <>
        <Notice severity="info">
          {t('It is switched on. Recovery codes left: {{left}}', {
            left: String(state.data.recoveryCodesLeft),
          })}
        </Notice>
        {state.data.isRequired ? (
          <p>{t('This server requires it of everybody.')}</p>
        ) : (
          <>
            <p>{t('To switch it off, type a code of your phone or a recovery code.')}</p>
            <CodeForm
              submitLabel={t('Switch off')}
              isBusy={isBusy}
              problem={problem}
              onCode={(code) => void attempt(() => switchOff(code))}
            />
          </>
        )}
      </>
    );
  }

  return (
    <section className="account-panel">
      <h2>{t('Two-factor sign-in')}</h2>
      <div className="factor">{content()}</div>
    </section>
  );
}
