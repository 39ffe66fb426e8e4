import { useAttempt, useHost } from '@trellis/sdk/web';
import { Dialog, Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { MadeLink } from '../shared/index.ts';
import { emailProblem } from './email-problem.ts';
import type { ShownLink } from './MadeLinkDialog.tsx';
import { inviteUser, usersTag } from './user-requests.ts';
import { useUserActions } from './use-user-actions.ts';

interface InviteUserDialogProps {
  /** Called with a link that has to be passed on by hand. */
  readonly onLink: (link: ShownLink) => void;
  readonly onClose: () => void;
}

/** Asks for the e-mail address of a person to invite. */
export function InviteUserDialog({ onLink, onClose }: InviteUserDialogProps) {
  const { t, api, invalidate } = useHost();
  const { show } = useUserActions(onLink);
  const [email, setEmail] = useState('');
  const { isBusy, problem, setProblem, attempt } = useAttempt();

  async function submit() {
    const wrong = emailProblem(email.trim());
    if (wrong !== undefined) return setProblem(t(wrong));
    let made: MadeLink | undefined;
    await attempt(async () => {
      made = await api.request<MadeLink>(inviteUser(email.trim()));
    });
    if (made === undefined) return;
    invalidate([usersTag]);
    onClose();
    show(made, 'invite');
  }

  return (
    <Dialog title={t('Invite to this server')} width={520} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Invite')}
        busyLabel={t('Inviting …')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('E-mail')}
          type="email"
          value={email}
          autoFocus
          maxLength={254}
          hint={t('The person gets an account here, and no project yet.')}
          onChange={setEmail}
        />
      </Form>
    </Dialog>
  );
}
