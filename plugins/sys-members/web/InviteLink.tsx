import { useHost } from '@trellis/sdk/web';
import { copyText } from '@trellis/sdk/web/ui';
import { useId } from 'react';
import { inviteLink } from './team-requests.ts';

/** The link of one invitation, to be copied. It is shown this once. */
export function InviteLink({ email, token }: { readonly email: string; readonly token: string }) {
  const { t, toast } = useHost();
  const id = useId();
  const link = inviteLink(token);

  async function copy() {
    if (await copyText(link)) toast({ severity: 'success', summary: t('Copied invite url to clipboard') });
    else
      toast({
        severity: 'error',
        summary: t('The browser did not let it be copied. Please select the link.'),
      });
  }

  return (
    <div className="tr-field">
      <label htmlFor={id}>{t('Invite link of {{email}}', { email })}</label>
      <div className="team-link">
        <input
          id={id}
          className="p-inputtext p-component"
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" className="tr-button" onClick={() => void copy()}>
          <i className="pi pi-copy" aria-hidden="true" /> {t('Copy')}
        </button>
      </div>
      <small className="tr-note">{t('It works once, for seven days, and for this address alone.')}</small>
    </div>
  );
}
