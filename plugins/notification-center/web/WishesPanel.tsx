import { hostObjectKinds } from '@trellis/sdk/shared';
import { messageOfError, objectsTag, useHost, useServerData, useSession } from '@trellis/sdk/web';
import { ErrorNotice, MailSetUpLink, Notice, Select, Skeleton, Switch } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { MailTime, NoticeWish, NoticeWishes } from '../shared/index.ts';

const path = '/api/v1/plugins/notification-center/wishes';
const tag = 'notice-wishes';
/** Plugins define the kinds of notices and send mail; whether they can depends on their settings. */
const tags = [tag, 'plugins', objectsTag(hostObjectKinds.pluginSettings)];

/** Chooses, kind by kind, whether the person is notified in the page and by mail; each choice applies at once. */
export default function WishesPanel() {
  const { data, error, refetch } = useServerData<NoticeWishes>({ path }, { tags });
  const failure = error !== undefined && <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return failure || <Skeleton height={48} count={4} />;
  return (
    <section className="account-panel">
      {failure}
      {!data.can_mail && <NoMail lacks={data.mail_lacks} />}
      <ul className="notice-wishes">
        {data.list.map((wish) => (
          <Wish key={wish.kind} wish={wish} />
        ))}
      </ul>
    </section>
  );
}

/** Why no mail is sent, with a link to the settings for people who may change them. */
function NoMail({ lacks }: { readonly lacks: NoticeWishes['mail_lacks'] }) {
  const { t, navigate } = useHost();
  const { superAdmin } = useSession();
  const isAddress = lacks === 'address';
  const reason = isAddress
    ? t('The address of this site is not set, without which no link in a mail leads here.')
    : t('Nothing that sends mail is set up.');
  const action = { label: t('Set the address'), run: () => navigate('/app-store?settings=sys-mail') };
  return (
    <Notice severity="info" {...(superAdmin && isAddress && { actions: [action] })}>
      {t('This server sends no mail yet. What you choose here holds as soon as it does.')} {reason}{' '}
      {superAdmin ? !isAddress && <MailSetUpLink /> : t('Please ask an administrator of this server.')}
    </Notice>
  );
}

function Wish({ wish }: { readonly wish: NoticeWishes['list'][number] }) {
  const { t, api, toast, invalidate } = useHost();
  // The choice applies until it is read from the server, where it may have been changed meanwhile.
  const [chosen, setChosen] = useState<NoticeWish>();
  const [underWay, setUnderWay] = useState(0);
  const [read, setRead] = useState(wish);
  if (underWay === 0 && read !== wish) {
    setRead(wish);
    setChosen(undefined);
  }
  const { page, mail } = chosen ?? wish;
  const label = t(wish.label);

  async function choose(change: Partial<NoticeWish>): Promise<void> {
    const next = { page, mail, ...change };
    setChosen(next);
    setUnderWay((now) => now + 1);
    try {
      await api.request({ method: 'PUT', path, body: { kind: wish.kind, ...next } });
    } catch (problem) {
      setChosen(undefined);
      toast({
        severity: 'error',
        summary: t('Your choice could not be saved'),
        detail: messageOfError(problem, t),
      });
    } finally {
      setUnderWay((now) => now - 1);
    }
    invalidate([tag]);
  }

  return (
    <li>
      <strong>{label}</strong>
      <Switch
        checked={page}
        label={t('In the page: {{kind}}', { kind: label })}
        onChange={(on) => void choose({ page: on })}
      >
        {t('In the page')}
      </Switch>
      {wish.has_mail && (
        <span className="notice-mail">
          <Select<MailTime>
            label={t('By mail: {{kind}}', { kind: label })}
            value={mail}
            options={[
              { value: 'off', label: t('No mail') },
              { value: 'now', label: t('Mail at once') },
              { value: 'daily', label: t('One mail a day') },
            ]}
            onChange={(of) => void choose({ mail: of })}
          />
        </span>
      )}
    </li>
  );
}
