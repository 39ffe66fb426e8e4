import { useHost } from '@trellis/sdk/web';
import { CopyField } from '@trellis/sdk/web/ui';
import { inviteLink } from './team-requests.ts';

/** An invitation's link to copy. It is shown only once. */
export function InviteLink({ email, token }: { readonly email: string; readonly token: string }) {
  const { t } = useHost();
  return (
    <CopyField
      label={t('Invite link of {{email}}', { email })}
      value={inviteLink(token)}
      hint={t('It works once, for seven days, and for this address alone.')}
      copied={t('Copied invite url to clipboard')}
      refused={t('The browser did not let it be copied. Please select the link.')}
    />
  );
}
