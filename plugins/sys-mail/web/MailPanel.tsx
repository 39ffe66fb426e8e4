import { hostObjectKinds, type PluginEntity } from '@trellis/sdk/shared';
import { messageOfError, messageOfRefusal, objectsTag, useHost, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { mailObjectKind, type MailAnswer, type MailSenderEntity } from '../shared/index.ts';

const path = '/api/v1/mail';
const tag = objectsTag(mailObjectKind);
/** Whether an adapter is set up changes with plugins and their settings. */
const tags = [tag, objectsTag(hostObjectKinds.pluginSettings), 'plugins'];

/** On the card of a plugin that sends mail: whether mails are sent by it, how many wait, and a way to test it. */
export default function MailPanel({ plugin }: { readonly plugin: PluginEntity }) {
  const { data, error, refetch } = useServerData<MailAnswer>({ path }, { tags });
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={40} />;
  const own = data.list.filter(({ plugin_id: id }) => id === plugin.id);
  return own.map((sender) => <Sender key={sender.id} sender={sender} answer={data} />);
}

function Sender({ sender, answer }: { readonly sender: MailSenderEntity; readonly answer: MailAnswer }) {
  const { t, api, toast, invalidate, navigate } = useHost();
  const [isBusy, setBusy] = useState(false);
  const { waiting, problem, needs_address: needsAddress } = answer;

  async function call(method: 'PUT' | 'POST', of: 'default' | 'trial'): Promise<void> {
    setBusy(true);
    try {
      const body = { sender: sender.id };
      const done = await api.request<{ readonly to?: string }>({ method, path: `${path}/${of}`, body });
      if (of === 'trial')
        toast({
          severity: 'success',
          summary: t('A mail is on its way to {{address}}', { address: done.to ?? '' }),
        });
    } catch (wrong) {
      toast({ severity: 'error', summary: t('That did not work'), detail: messageOfError(wrong, t) });
    }
    setBusy(false);
    invalidate([tag]);
  }

  if (!sender.is_ready) return <p className="tr-note">{t('Fill in the settings to send mail with it.')}</p>;
  return (
    <section className="mail" aria-label={t('Mails by {{sender}}', { sender: sender.label })}>
      <p className="mail-facts">
        <i className="pi pi-envelope" aria-hidden="true" />
        <span>
          {sender.is_default ? t('Mails go out by this') : t('Set up, but mails go out by another one')}
        </span>
      </p>
      {sender.is_default && needsAddress && (
        <Notice
          severity="warn"
          actions={[{ label: t('Set the address'), run: () => navigate('/app-store?settings=sys-mail') }]}
        >
          {t(
            'Mails with links, such as invitations and notifications, do not go out yet: the address of this site is not set.',
          )}
        </Notice>
      )}
      {sender.is_default && waiting > 0 && (
        <p className="tr-note">
          {t('{{count}} mails wait to be sent', { count: waiting, one: '{{count}} mail waits to be sent' })}
        </p>
      )}
      {sender.is_default && problem !== null && (
        <Notice severity="error">
          {t('The last mail could not be sent: {{reason}}', { reason: messageOfRefusal(problem, t) })}
        </Notice>
      )}
      <div className="mail-actions">
        {!sender.is_default && (
          <WorkButton isBusy={isBusy} onClick={() => void call('PUT', 'default')}>
            {t('Send mails by this')}
          </WorkButton>
        )}
        <WorkButton isBusy={isBusy} onClick={() => void call('POST', 'trial')}>
          {t('Send me a mail')}
        </WorkButton>
      </div>
    </section>
  );
}
