import { hasPermission, useHost, useMenuActions, useSession } from '@trellis/sdk/web';
import { MenuButton, type MenuAction, PersonMark } from '@trellis/sdk/web/ui';
import type { ServerUserEntity } from '../shared/index.ts';
import type { ShownLink } from './MadeLinkDialog.tsx';
import { useUserActions } from './use-user-actions.ts';

interface UserLineProps {
  readonly user: ServerUserEntity;
  /** Called with a link that has to be passed on by hand. */
  readonly onLink: (link: ShownLink) => void;
}

/** One account of the server and its actions. */
export function UserLine({ user, onLink }: UserLineProps) {
  const { t } = useHost();
  const session = useSession();
  const { isBusy, change, remove, reset } = useUserActions(onLink);
  const fullName = [user.firstname, user.lastname].filter(Boolean).join(' ');
  const name = fullName || user.email;
  const isMe = user.id === session.user?.id;
  const may = (permission: string) => !isMe && hasPermission(permission, session.user);
  const { id, email, is_disabled: isDisabled } = user;
  const added = useMenuActions('person', { person: { id, email, name, isDisabled } });

  const actions: readonly MenuAction[] = [
    {
      id: 'reset',
      label: t('Send a link for a new password'),
      icon: 'key',
      isOffered: may('accountReset') && !user.is_disabled,
      run: () => void reset(user),
    },
    {
      id: 'promote',
      label: t('Make super admin'),
      icon: 'shield',
      isOffered: may('accountUpdate') && !user.is_super && !user.is_disabled,
      run: () =>
        void change(
          user,
          { is_super: true },
          {
            title: t('Make {{name}} a super admin?', { name }),
            message: t(
              'They may then do on this server what you may: see and disable accounts, make super admins, install plugins and open databases.',
            ),
            confirmLabel: t('Make super admin'),
          },
        ),
    },
    {
      id: 'demote',
      label: t('No super admin any more'),
      icon: 'shield',
      isOffered: may('accountUpdate') && user.is_super,
      run: () =>
        void change(
          user,
          { is_super: false },
          {
            title: t('Take the rights of a super admin from {{name}}?', { name }),
            message: t('Their account and their projects stay.'),
            confirmLabel: t('Take away'),
            danger: true,
          },
        ),
    },
    {
      id: 'enable',
      label: t('Enable'),
      icon: 'check-circle',
      isOffered: may('accountUpdate') && user.is_disabled,
      run: () => void change(user, { is_disabled: false }),
    },
    {
      id: 'disable',
      label: t('Disable'),
      icon: 'ban',
      startsGroup: true,
      isOffered: may('accountUpdate') && !user.is_disabled,
      run: () =>
        void change(
          user,
          { is_disabled: true },
          {
            title: t('Disable {{name}}?', { name }),
            message: t(
              'They are signed out everywhere at once, and their API tokens stop. Nothing is deleted, and you can enable the account again.',
            ),
            confirmLabel: t('Disable'),
            danger: true,
          },
        ),
    },
    {
      id: 'delete',
      label: t('Delete'),
      icon: 'trash',
      danger: true,
      isOffered: may('accountDelete'),
      run: () =>
        void remove(user, {
          title: t('Delete the account of {{name}}?', { name }),
          message: t(
            'Their memberships, sessions and API tokens are gone for good. What they made in projects stays, and their personal views pass to an owner.',
          ),
          confirmLabel: t('Delete'),
          danger: true,
        }),
    },
  ].flatMap(({ isOffered, ...action }) => (isOffered ? [action] : []));
  const all = isMe ? actions : [...actions, ...added];

  return (
    <li className="account-user" aria-busy={isBusy} data-disabled={user.is_disabled}>
      <PersonMark name={name} picture={user.picture} isMuted={user.is_disabled} />
      <span>
        <strong>
          {name}
          {isMe && <em>{t('you')}</em>}
        </strong>
        {fullName !== '' && <small>{user.email}</small>}
      </span>
      <span className="account-states">
        {user.is_super && <em>{t('Super admin')}</em>}
        {user.is_disabled && <em>{t('Disabled')}</em>}
      </span>
      <span className="account-menu">
        <MenuButton label={t('What to do with {{name}}', { name })} actions={all} />
      </span>
    </li>
  );
}
