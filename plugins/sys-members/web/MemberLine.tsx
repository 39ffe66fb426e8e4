import { hasPermission, useHost, usePendingValue, useSession } from '@trellis/sdk/web';
import { isWithinRole, type ProjectEntity } from '@trellis/sdk/shared';
import { Dialog, MenuButton, pageLanguage, Select, type MenuAction, PersonMark } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { CustomRole, MemberEntity } from '../shared/index.ts';
import { InviteLink } from './InviteLink.tsx';
import { givableRoles } from './roles.ts';
import { useMemberActions } from './use-member-actions.ts';

/** One person of a project: name, role and actions. */
export function MemberLine(props: {
  readonly project: ProjectEntity;
  readonly member: MemberEntity;
  readonly customRoles: readonly CustomRole[];
}) {
  const { project, member } = props;
  const { t } = useHost();
  const session = useSession();
  const [token, setToken] = useState<string>();
  const { isBusy, setRole, handOver, remove, resend, renewLink } = useMemberActions(project, member);
  const role = usePendingValue<string>(member.custom_role?.id ?? member.roles);
  const name = [member.firstname, member.lastname].filter(Boolean).join(' ');
  const title = name || member.email;
  const isMe = member.id === session.user?.id;
  const isInvited = member.invited_until !== null;
  const isBelow = project.role !== undefined && isWithinRole(member.roles, project.role);
  const mayChange = isBelow && !isMe && hasPermission('projectUserUpdate', project);
  const roles = givableRoles(project).filter((role) => role !== 'owner' || !isInvited);

  const actions: readonly MenuAction[] = [
    ...(isInvited && hasPermission('projectUserInviteResend', project)
      ? [
          { id: 'resend', label: t('Send the invitation again'), icon: 'send', run: () => void resend() },
          {
            id: 'link',
            label: t('Make a new invite link'),
            icon: 'link',
            run: () => void renewLink().then(setToken),
          },
        ]
      : []),
    ...(project.role === 'owner' && mayChange && !isInvited && !member.disabled && member.roles !== 'owner'
      ? [
          {
            id: 'hand-over',
            label: t('Hand the project over'),
            icon: 'arrow-right-arrow-left',
            run: () => void handOver(title),
          },
        ]
      : []),
    ...(isBelow && !isMe && hasPermission('projectUserDelete', project)
      ? [
          {
            id: 'remove',
            label: isInvited ? t('Take the invitation back') : t('Remove from the project'),
            icon: 'user-minus',
            danger: true,
            startsGroup: true,
            run: () => void remove(title),
          },
        ]
      : []),
  ];

  return (
    <li className="team-person" aria-busy={isBusy} data-invited={isInvited}>
      <PersonMark name={title} picture={member.picture} isInvited={isInvited} />
      <span className="team-name">
        <strong>
          {title}
          {isMe && <span className="team-you">{t('you')}</span>}
          {member.disabled && <span className="team-you">{t('disabled')}</span>}
        </strong>
        <small>{isInvited ? <Until time={member.invited_until ?? ''} /> : name !== '' && member.email}</small>
      </span>
      {mayChange ? (
        <Select<string>
          label={t('Role of {{name}}', { name: title })}
          value={role.value}
          options={[
            ...roles.map((value) => ({ value: value as string, label: t(value) })),
            ...props.customRoles.map((of) => ({ value: of.id, label: of.title })),
          ]}
          onChange={(chosen) => void role.change(chosen, () => setRole(chosen))}
        />
      ) : (
        <span className="team-role">{member.custom_role?.title ?? t(member.roles)}</span>
      )}
      <span className="team-menu">
        <MenuButton label={t('What to do with {{name}}', { name: title })} actions={actions} />
      </span>
      {token !== undefined && (
        <Dialog title={t('Invite link')} width={700} onClose={() => setToken(undefined)}>
          <InviteLink email={member.email} token={token} />
        </Dialog>
      )}
    </li>
  );
}

/** When an invitation expires. */
function Until({ time }: { readonly time: string }) {
  const { t } = useHost();
  const [now] = useState(Date.now);
  const until = new Date(`${time.replace(' ', 'T')}Z`);
  if (until.getTime() < now) return t('Invitation expired');
  const day = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' }).format(until);
  return t('Invited, until {{day}}', { day });
}
