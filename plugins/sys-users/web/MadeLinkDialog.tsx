import { useHost } from '@trellis/sdk/web';
import { HandOverDialog, MailSetUpLink } from '@trellis/sdk/web/ui';
import type { MadeLink } from '../shared/index.ts';

/** A link that no mail has delivered. */
export interface ShownLink extends MadeLink {
  readonly token: string;
  /** `invite` creates an account, `reset` sets a new password. */
  readonly use: 'invite' | 'reset';
}

const paths = { invite: '/user/authentication/signup', reset: '/user/password/reset/form' } as const;

/** Shows a link once, so that it can be passed on. */
export function MadeLinkDialog(props: { readonly link: ShownLink; readonly onClose: () => void }) {
  const { link, onClose } = props;
  const { t } = useHost();
  const { origin, pathname } = window.location;
  const isInvitation = link.use === 'invite';
  return (
    <HandOverDialog
      title={isInvitation ? t('Invite link') : t('Link to set a new password')}
      width={640}
      warning={
        link.mail === 'waiting' ? (
          t(
            'The mail server does not answer. The mail is sent as soon as it does; meanwhile the link works too.',
          )
        ) : (
          <>
            {t('Mail is not set up on this server. Please copy the link and send it to {{email}}.', {
              email: link.email,
            })}{' '}
            <MailSetUpLink />
          </>
        )
      }
      label={t('Link for {{email}}', { email: link.email })}
      value={`${origin}${pathname}#${paths[link.use]}/${encodeURIComponent(link.token)}`}
      hint={
        isInvitation
          ? t('It works once, for seven days, and for this address alone.')
          : t('It works once, within a day. Whoever has it can sign in as this person.')
      }
      copied={t('Link copied')}
      refused={t('The browser did not let it be copied. Please select the link.')}
      onClose={onClose}
    />
  );
}
