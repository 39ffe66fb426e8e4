import { hasPermission, useHost, useSession } from '@trellis/sdk/web';
import { MenuButton, pageLanguage, type MenuAction, PersonMark } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { ServerInvitationEntity } from '../shared/index.ts';
import type { ShownLink } from './MadeLinkDialog.tsx';
import { useUserActions } from './use-user-actions.ts';

interface InvitedLineProps {
  readonly invitation: ServerInvitationEntity;
  /** Called with a link that has to be passed on by hand. */
  readonly onLink: (link: ShownLink) => void;
}

/** A person who was invited to the server but has no account yet. */
export function InvitedLine({ invitation, onLink }: InvitedLineProps) {
  const { t } = useHost();
  const session = useSession();
  const [now] = useState(Date.now);
  const { isBusy, renew, takeBack } = useUserActions(onLink);
  const { email, expires_at: expiresAt } = invitation;
  const until = new Date(`${expiresAt.replace(' ', 'T')}Z`);
  const day = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' }).format(until);

  const actions: readonly MenuAction[] = [
    { id: 'renew', label: t('Make a new link'), icon: 'link', run: () => void renew(invitation) },
    {
      id: 'take-back',
      label: t('Take the invitation back'),
      icon: 'user-minus',
      danger: true,
      startsGroup: true,
      run: () => void takeBack(invitation),
    },
  ];

  return (
    <li className="account-user" aria-busy={isBusy}>
      <PersonMark name={email} isInvited />
      <span>
        <strong>{email}</strong>
        <small>
          {until.getTime() < now ? t('Invitation expired') : t('Invited, until {{day}}', { day })}
        </small>
      </span>
      <span className="account-menu">
        <MenuButton
          label={t('What to do with {{name}}', { name: email })}
          actions={hasPermission('accountInvite', session.user) ? actions : []}
        />
      </span>
    </li>
  );
}
