import { useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { ErrorNotice, Form, Notice, PageSkeleton } from '@trellis/sdk/web/ui';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import type { InvitationEntity } from '../shared/index.ts';
import { AuthCard, continueQuery } from './AuthCard.tsx';
import { CredentialsPage } from './CredentialsPage.tsx';
import { newPasswordProblem } from './new-password-problem.ts';
import { PasswordMeter } from './PasswordMeter.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useLink } from './use-link.ts';

const path = '/api/v1/auth/invitation';

/** The target of an invitation's link: leads to a new account, or to signing in with an existing one. */
export default function InvitationPage() {
  const { token = '' } = useParams();
  const { t } = useHost();
  const session = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const link = useLink<InvitationEntity>(`${path}/read`, token);

  if (link.state === 'refused') return <NoInvitation problem={link.reason} />;
  if (link.state === 'failed')
    return (
      <AuthCard heading={t('You are invited')}>
        <ErrorNotice message={link.message} onRetry={link.retry} />
      </AuthCard>
    );
  if (link.state === 'reading' || session.status === 'unknown') return <PageSkeleton />;

  const invitation = link.answer;
  const { email, project } = invitation;
  const heading = project === null ? t('You are invited') : t('Join {{title}}', { title: project.title });
  const joined = project === null ? '/projects' : `/nc/${encodeURIComponent(project.id)}`;
  const goOn = () => void navigate(joined);
  if (session.status === 'signedIn')
    return <Accept invitation={invitation} heading={heading} token={token} onAccepted={goOn} />;
  // Signing in leads back here, where the invitation can then be accepted.
  const others = <ProviderButtons target={pathname} />;
  const footer = (
    <Link to={`/user/authentication/signin${continueQuery(pathname)}`}>{t('Sign in as somebody else')}</Link>
  );
  if (invitation.has_account)
    return (
      <CredentialsPage
        heading={heading}
        intro={t('You have an account here. Sign in to accept the invitation.')}
        email={email}
        path="/api/v1/auth/user/signin"
        submitLabel={t('Sign in')}
        busyLabel={t('Signing in …')}
        passwordKind="current-password"
        passwordProblem={(password) => (password === '' ? 'Password is required' : undefined)}
        target={pathname}
        others={others}
        footer={footer}
      />
    );
  return (
    <CredentialsPage
      heading={heading}
      intro={t('Choose a password, and you are in.')}
      email={email}
      extra={{ token }}
      path="/api/v1/auth/user/signup"
      submitLabel={t('Sign up')}
      busyLabel={t('Signing up …')}
      passwordKind="new-password"
      passwordProblem={newPasswordProblem}
      // Signing up has accepted the invitation.
      target={joined}
      onSignedIn={goOn}
      others={others}
      footer={footer}
    >
      {(password) => <PasswordMeter password={password} />}
    </CredentialsPage>
  );
}

function NoInvitation({ problem }: { readonly problem: string }) {
  const { t } = useHost();
  return (
    <AuthCard heading={t('This invitation does not work')}>
      <Notice severity="error">{problem}</Notice>
      <p className="auth-footer">
        {t('Ask whoever invited you for a new link.')} <Link to="/">{t('Home')}</Link>
      </p>
    </AuthCard>
  );
}

/** For signed-in people: a press accepts the invitation if it is theirs. */
function Accept(props: {
  readonly invitation: InvitationEntity;
  readonly heading: string;
  readonly token: string;
  readonly onAccepted: () => void;
}) {
  const { invitation, heading, token, onAccepted } = props;
  const host = useHost();
  const { t } = host;
  const session = useSession();
  const { isBusy, problem, attempt } = useAttempt();
  const isMine = session.user?.email === invitation.email;

  async function accept() {
    const body = { token };
    if (!(await attempt(() => host.api.request({ method: 'POST', path: `${path}/accept`, body })))) return;
    host.invalidate(['projects']);
    onAccepted();
  }

  return (
    <AuthCard heading={heading}>
      <Notice severity={isMine ? 'info' : 'warn'}>
        {isMine
          ? t('You are signed in as {{email}}.', { email: invitation.email })
          : t('This invitation is for {{email}}, and you are signed in as {{other}}.', {
              email: invitation.email,
              other: session.user?.email ?? '',
            })}
      </Notice>
      <Form
        submitLabel={isMine ? t('Accept the invitation') : t('Sign out')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void (isMine ? accept() : session.signOut())}
      >
        {null}
      </Form>
      <p className="auth-footer">
        <Link to="/projects">{t('My Projects')}</Link>
      </p>
    </AuthCard>
  );
}
