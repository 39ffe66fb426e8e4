import { messageOfRefusal, useHost } from '@trellis/sdk/web';
import { MailSetUpLink, Notice } from '@trellis/sdk/web/ui';
import type { AddAnswer, InvitedPerson } from '../shared/index.ts';
import { InviteLink } from './InviteLink.tsx';

/** What came of an invitation: links to hand on, and who was refused. */
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
          {isWaiting
            ? t(
                'The mail server does not answer. The mail is sent as soon as it does; meanwhile the link works too.',
              )
            : t(
                'Looks like you have not configured mailer yet! Please copy the invite link and send it to the person.',
              )}{' '}
          {!isWaiting && <MailSetUpLink />}
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

function hasToken(person: InvitedPerson): person is InvitedPerson & { readonly invite_token: string } {
  return person.invite_token !== null;
}
