import { messageOfError, useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { Form, Notice, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { PictureField } from './PictureField.tsx';

/** The person's names, and whether their address is confirmed. */
export default function ProfilePanel() {
  const { t, api, toast } = useHost();
  const session = useSession();
  const { user } = session;
  const [firstname, setFirstname] = useState(user?.firstname ?? '');
  const [lastname, setLastname] = useState(user?.lastname ?? '');
  const { isBusy, problem, attempt } = useAttempt();

  async function save() {
    const body = { firstname: firstname.trim(), lastname: lastname.trim() };
    const request = { method: 'PATCH', path: '/api/v1/auth/user/profile', body } as const;
    if (!(await attempt(() => api.request(request)))) return;
    await session.check();
    toast({ severity: 'success', summary: t('Your profile is saved') });
  }

  async function confirmAddress() {
    try {
      await api.request({ method: 'POST', path: '/api/v1/auth/email/confirm' });
      toast({ severity: 'success', summary: t('The mail is on its way') });
    } catch (error) {
      toast({
        severity: 'error',
        summary: t('The mail could not be sent'),
        detail: messageOfError(error, t),
      });
    }
  }

  return (
    <section className="account-panel">
      {user?.email_verified === false && (
        <Notice
          severity="info"
          actions={[{ label: t('Send the mail to confirm it'), run: () => void confirmAddress() }]}
        >
          {t('Your address is not confirmed yet.')}
        </Notice>
      )}
      <PictureField />
      <Form submitLabel={t('Save')} isBusy={isBusy} problem={problem} onSubmit={() => void save()}>
        <TextField
          label={t('First name')}
          value={firstname}
          autoComplete="given-name"
          maxLength={100}
          onChange={setFirstname}
        />
        <TextField
          label={t('Last name')}
          value={lastname}
          autoComplete="family-name"
          maxLength={100}
          onChange={setLastname}
        />
      </Form>
    </section>
  );
}
