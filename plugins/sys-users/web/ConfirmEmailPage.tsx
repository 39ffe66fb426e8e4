import { messageOfError, useHost } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';

/** The target of the mail's link: confirms an address. It needs a press, because mail programs open links to check them. */
export default function ConfirmEmailPage() {
  const { token = '' } = useParams();
  const { t, api } = useHost();
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const [problem, setProblem] = useState<string>();

  async function confirm() {
    // A second press would use a link that the first one has used up.
    if (state === 'busy') return;
    setState('busy');
    setProblem(undefined);
    try {
      await api.request({
        method: 'POST',
        path: `/api/v1/auth/email/validate/${encodeURIComponent(token)}`,
      });
      setState('done');
    } catch (error) {
      setProblem(messageOfError(error, t));
      setState('open');
    }
  }

  return (
    <AuthCard heading={t('Confirm your address')}>
      {state === 'done' ? (
        <Notice severity="success">{t('Thank you. Your address is confirmed.')}</Notice>
      ) : (
        <button
          type="button"
          className="tr-button tr-button--primary"
          aria-busy={state === 'busy'}
          onClick={() => void confirm()}
        >
          {t('Confirm')}
        </button>
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      <p className="auth-footer">
        <Link to="/">{t('Home')}</Link>
      </p>
    </AuthCard>
  );
}
