import { messageOfRefusal, useHost, useSession } from '@trellis/sdk/web';
import { MailSetUpLink, Notice } from '@trellis/sdk/web/ui';
import type { AddAnswer, InvitedPerson } from '../shared/index.ts';
import { InviteLink } from './InviteLink.tsx';

/** The outcome of invitations: links to pass on, and refused addresses. */
export function InviteOutcome(props: {
  readonly answer: AddAnswer;
  readonly onMore: () => void;
  readonly onClose: () => void;
}) {
  const { people, error: refused = [] } = props.answer;
  const { t } = useHost();
  const linked = people.filter(hasToken);
  const isWaiting = linked.some(({ outcome }) => outcome === 'waiting');
  const others = people.filter((person) => !hasToken(person));

  return (
    <div className="team-outcome">
      {linked.length > 0 && (
        <Notice severity="warn">
          {isWaiting ? (
            t(
              'The mail server does not answer. The mail is sent as soon as it does; meanwhile the link works too.',
            )
          ) : (
            <NoMail lacks={props.answer.mail_lacks} />
          )}
        </Notice>
      )}
      {linked.map(({ email, invite_token: token }) => (
        <InviteLink key={email} email={email} token={token} />
      ))}
      {others.length > 0 && (
        <Notice severity="success">
          {t('Added or invited by mail: {{list}}', { list: others.map(({ email }) => email).join(', ') })}
        </Notice>
      )}
      {refused.map(({ email, error, code, params }) => (
        <Notice key={email} severity="error">
          {email}: {messageOfRefusal({ msg: error, code, params }, t)}
        </Notice>
      ))}
      <div className="tr-form-actions">
        <button type="button" className="tr-button" onClick={props.onMore}>
          {t('Invite more')}
        </button>
        <span className="tr-gap" />
        <button type="button" className="tr-button tr-button--primary" onClick={props.onClose}>
          {t('Done')}
        </button>
      </div>
    </div>
  );
}

/** Why no mail was sent, with a link to the settings for people who may change them. */
function NoMail({ lacks }: { readonly lacks: AddAnswer['mail_lacks'] }) {
  const { t } = useHost();
  const { superAdmin } = useSession();
  if (lacks === undefined)
    return (
      <>
        {t(
          'Looks like you have not configured mailer yet! Please copy the invite link and send it to the person.',
        )}{' '}
        <MailSetUpLink />
      </>
    );
  return (
    <>
      {t(
        'The address of this site is not set, so that no mail can lead here. Please copy the invite link and send it to the person.',
      )}{' '}
      {superAdmin && (
        <a className="tr-link" href="#/app-store?settings=sys-mail" target="_blank" rel="noopener">
          {t('Set the address')}
        </a>
      )}
    </>
  );
}

function hasToken(person: InvitedPerson): person is InvitedPerson & { readonly invite_token: string } {
  return person.invite_token !== null;
}
