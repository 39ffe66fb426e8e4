import { useHost, useRequestAction } from '@trellis/sdk/web';
import type { ProjectEntity } from '@trellis/sdk/shared';
import type { MemberEntity } from '../shared/index.ts';
import {
  handOverRequest,
  linkRequest,
  removeRequest,
  resendRequest,
  roleRequest,
  teamTag,
} from './team-requests.ts';

/** The actions for a project's member; refusals are reported, and the list is read again. */
export function useMemberActions(project: ProjectEntity, member: MemberEntity) {
  const host = useHost();
  const { t } = host;
  const { isBusy, send } = useRequestAction([teamTag(project.id)]);

  return {
    isBusy,
    /** Resolves to whether it was changed. */
    async setRole(role: string): Promise<boolean> {
      const done = await send(roleRequest(project, member, role), t('The role could not be changed'));
      if (done === undefined) return false;
      host.toast({ severity: 'success', summary: t('Successfully updated the user details') });
      return true;
    },
    async remove(name: string): Promise<void> {
      const isInvited = member.invited_until !== null;
      const agreed = await host.confirm({
        title: isInvited
          ? t('Take the invitation of {{name}} back?', { name })
          : t('Remove {{name}}?', { name }),
        message: isInvited
          ? t('The link stops working at once.')
          : t(
              'They lose access to {{title}} at once. What they made in it stays, and their personal views pass to an owner.',
              { title: project.title },
            ),
        confirmLabel: isInvited ? t('Take back') : t('Remove'),
        danger: true,
      });
      if (agreed) await send(removeRequest(project, member), t('The person could not be removed'));
    },
    async handOver(name: string): Promise<void> {
      const agreed = await host.confirm({
        title: t('Hand {{title}} over to {{name}}?', { title: project.title, name }),
        message: t(
          'They become the owner, and may then delete the project and remove you. You stay as a creator. Only they can give it back.',
        ),
        confirmLabel: t('Hand over'),
        danger: true,
      });
      if (!agreed) return;
      if (!(await send(handOverRequest(project, member), t('The project is still yours')))) return;
      host.invalidate(['projects']);
      host.toast({ severity: 'success', summary: t('The project belongs to {{name}} now', { name }) });
    },
    async resend(): Promise<void> {
      const done = await send(resendRequest(project, member), t('The invitation could not be sent'));
      if (done !== undefined)
        host.toast({ severity: 'success', summary: t('The invitation was sent again') });
    },
    /** The new link's token; undefined if the server refused. */
    async renewLink(): Promise<string | undefined> {
      const failure = t('The link could not be made');
      const answer = await send<{ readonly invite_token: string | null }>(
        linkRequest(project, member),
        failure,
      );
      if (answer?.invite_token === null)
        host.toast({ severity: 'success', summary: t('The invitation was sent again') });
      return answer?.invite_token ?? undefined;
    },
  };
}
