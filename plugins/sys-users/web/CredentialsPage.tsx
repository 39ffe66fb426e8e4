import { useAttempt, useHost } from '@trellis/sdk/web';
import { Form, Notice, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { AuthCard, continueQuery } from './AuthCard.tsx';
import { emailProblem } from './email-problem.ts';

/** The contents of a page for credentials, and the request that it sends. */
export interface CredentialsPageProps {
  /** Undefined while the kind of page is unknown: the fields are shown, and a submission waits. */
  readonly heading: string | undefined;
  readonly intro?: string;
  /** The path that receives the credentials. */
  readonly path: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly passwordKind: 'current-password' | 'new-password';
  readonly passwordProblem: (password: string) => string | undefined;
  /** The address if it is fixed, so that nobody has to type it. */
  readonly email?: string;
  /** Further values to send. */
  readonly extra?: Readonly<Record<string, string>>;
  /** The path of this page where the person continues after a further step; default: the one in the address. */
  readonly target?: string;
  /** Called when the session has begun. */
  readonly onSignedIn?: () => void;
  /** Shown below the fields. */
  readonly children?: (password: string) => ReactNode;
  /** Shown below the form. */
  readonly others?: ReactNode;
  /** The link to the other page. */
  readonly footer?: ReactNode;
}

/**
 * The card of sign-in and sign-up. It sends address and password and starts the session; then the page itself goes to where the
 * person came from, or home. If the server refuses, everything typed stays.
 */
export function CredentialsPage(props: CredentialsPageProps) {
  const { t, api, session } = useHost();
  const navigate = useNavigate();
  const location = useLocation();
  const search = props.target === undefined ? location.search : continueQuery(props.target);
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { isBusy, problem, attempt } = useAttempt();
  const isKnown = props.heading !== undefined;
  const { path } = props;
  /** Called with the credentials' path when it is known. */
  const tellPath = useRef<(path: string) => void>(undefined);
  useEffect(() => {
    if (isKnown) tellPath.current?.(path);
  }, [isKnown, path]);
  const problems = { email: emailProblem(email), password: props.passwordProblem(password) };
  const shown = (of: string | undefined) => (isChecked && of !== undefined ? t(of) : undefined);

  function submit() {
    setChecked(true);
    if (problems.email !== undefined || problems.password !== undefined) return;
    const body = { ...props.extra, email: email.trim(), password };
    void attempt(async () => {
      const known = isKnown ? path : await new Promise<string>((tell) => (tellPath.current = tell));
      // A person who meant to sign in must not create an account.
      if (known !== path) return;
      const { token } = await api.request<{ token?: string }>({ method: 'POST', path, body });
      // A further step is required; the target stays in the address.
      if (token === undefined) return void navigate(`/user/authentication/step${search}`);
      await session.signIn(token);
      props.onSignedIn?.();
    });
  }

  return (
    <AuthCard heading={props.heading}>
      {props.intro !== undefined && <Notice severity="info">{props.intro}</Notice>}
      <Form
        submitLabel={isKnown ? props.submitLabel : props.busyLabel}
        busyLabel={props.busyLabel}
        isBusy={isBusy}
        problem={problem}
        onSubmit={submit}
      >
        <TextField
          label={t('E-mail')}
          type="email"
          value={email}
          autoComplete="username"
          autoFocus={props.email === undefined}
          readOnly={props.email !== undefined}
          problem={shown(problems.email)}
          onChange={setEmail}
        />
        <TextField
          label={t('Password')}
          type="password"
          value={password}
          autoComplete={props.passwordKind}
          autoFocus={props.email !== undefined}
          problem={shown(problems.password)}
          onChange={setPassword}
        />
        {props.children?.(password)}
      </Form>
      {props.others}
      {props.footer !== undefined && <p className="auth-footer">{props.footer}</p>}
    </AuthCard>
  );
}
