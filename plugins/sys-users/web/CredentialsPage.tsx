import { useAttempt, useHost } from '@trellis/sdk/web';
import { Form, Notice, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { AuthCard, continueQuery } from './AuthCard.tsx';
import { emailProblem } from './email-problem.ts';

/** What is asked for on a page of credentials, and where it goes. */
export interface CredentialsPageProps {
  /** Undefined while it is not known which page it is: the fields are there, and what is submitted waits. */
  readonly heading: string | undefined;
  readonly intro?: string;
  /** Where the credentials go. */
  readonly path: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly passwordKind: 'current-password' | 'new-password';
  readonly passwordProblem: (password: string) => string | undefined;
  /** The address where it is settled, so that nobody has to type it. */
  readonly email?: string;
  /** What is sent beside the credentials. */
  readonly extra?: Readonly<Record<string, string>>;
  /** The path of this page where the person goes on after a further step; left out: the one that the address names. */
  readonly target?: string;
  /** After the session began. */
  readonly onSignedIn?: () => void;
  /** What stands below the fields. */
  readonly children?: (password: string) => ReactNode;
  /** What stands below the form. */
  readonly others?: ReactNode;
  /** The way to the other page. */
  readonly footer?: ReactNode;
}

/**
 * The card that sign-in and sign-up share. It sends address and password and starts the session; then the page leads on by itself, to
 * where the person came from, or home. Nothing typed is lost when the server refuses.
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
  /** Told where the credentials go, once it is known. */
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
      // Whoever meant to sign in makes no account by it.
      if (known !== path) return;
      const { token } = await api.request<{ token?: string }>({ method: 'POST', path, body });
      // Something is left to do; the way on stays in the address.
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
