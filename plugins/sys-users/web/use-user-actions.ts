import { useHost, useRequestAction, type ConfirmQuestion } from '@trellis/sdk/web';
import type { MadeLink, ServerInvitationEntity, ServerUserEntity, ServerUserPatch } from '../shared/index.ts';
import type { ShownLink } from './MadeLinkDialog.tsx';
import {
  changeUser,
  deleteUser,
  makeResetLink,
  removeInvitation,
  renewInvitation,
  usersTag,
} from './user-requests.ts';

/** The actions for accounts and invitations; refusals are reported, and the lists are read again. */
export function useUserActions(onLink: (link: ShownLink) => void) {
  const host = useHost();
  const { t } = host;
  const { isBusy, send } = useRequestAction([usersTag]);

  const succeed = (summary: string) => host.toast({ severity: 'success', summary });

  /** Shows a link that no mail has delivered, or reports that one was sent. */
  function show(made: MadeLink | undefined, use: ShownLink['use']): void {
    if (made === undefined) return;
    const { token } = made;
    if (token !== null) onLink({ ...made, token, use });
    else succeed(use === 'invite' ? t('The invitation was sent') : t('The mail is on its way'));
  }

  return {
    isBusy,
    show,
    async change(user: ServerUserEntity, patch: ServerUserPatch, question?: ConfirmQuestion): Promise<void> {
      if (question !== undefined && !(await host.confirm(question))) return;
      if (await send(changeUser(user.id, patch), t('The account could not be changed')))
        succeed(t('The account is changed'));
    },
    async remove(user: ServerUserEntity, question: ConfirmQuestion): Promise<void> {
      if (!(await host.confirm(question))) return;
      if (await send(deleteUser(user.id), t('The account could not be deleted')))
        succeed(t('The account is deleted'));
    },
    async reset(user: ServerUserEntity): Promise<void> {
      show(await send<MadeLink>(makeResetLink(user.id), t('The link could not be made')), 'reset');
    },
    async renew({ id }: ServerInvitationEntity): Promise<void> {
      show(await send<MadeLink>(renewInvitation(id), t('The link could not be made')), 'invite');
    },
    async takeBack({ id, email }: ServerInvitationEntity): Promise<void> {
      const agreed = await host.confirm({
        title: t('Take the invitation of {{name}} back?', { name: email }),
        message: t('The link stops working at once.'),
        confirmLabel: t('Take back'),
        danger: true,
      });
      if (agreed) await send(removeInvitation(id), t('The invitation could not be taken back'));
    },
  };
}
