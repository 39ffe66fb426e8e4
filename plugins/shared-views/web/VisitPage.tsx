import { messageOfError, useT } from '@trellis/sdk/web';
import { Empty, ErrorNotice, Form, PageSkeleton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { SharedView } from './SharedView.tsx';
import { useVisit } from './use-visit.ts';

/** What whoever has a link sees: the view, the question for its password, or that the link opens nothing. */
export default function VisitPage() {
  const t = useT();
  const { uuid = '' } = useParams();
  const { state, isTrying, attempt } = useVisit(uuid);
  switch (state.kind) {
    case 'reading':
      return <PageSkeleton />;
    case 'closed':
      return (
        <Empty
          icon="lock"
          title={t('This link opens nothing')}
          text={t('The view is not shared any more, or it has a new link. Ask whoever gave it to you.')}
        />
      );
    case 'failed':
      return (
        <div className="shared-views-gate">
          <ErrorNotice message={messageOfError(state.error, t)} onRetry={() => attempt()} />
        </div>
      );
    case 'locked':
      return <PasswordGate {...{ state, isTrying, attempt }} />;
    case 'open':
      return <SharedView key={uuid} visit={state} />;
  }
}

interface PasswordGateProps {
  readonly state: { readonly wasWrong: boolean; readonly error?: unknown };
  readonly isTrying: boolean;
  readonly attempt: (password: string) => void;
}

/** Asks for the password of a link; what was typed stays where it was wrong. */
function PasswordGate({ state, isTrying, attempt }: PasswordGateProps) {
  const t = useT();
  const [password, setPassword] = useState('');
  const problem = isTrying
    ? undefined
    : state.wasWrong
      ? t('The password is not right.')
      : state.error === undefined
        ? undefined
        : messageOfError(state.error, t);
  return (
    <div className="shared-views-gate">
      <h1>{t('This view has a password')}</h1>
      <Form
        submitLabel={t('Open')}
        isBusy={isTrying}
        canSubmit={password !== ''}
        problem={problem}
        onSubmit={() => attempt(password)}
      >
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="off"
          autoFocus
          maxLength={256}
          value={password}
          hint={t('Whoever gave you the link knows it.')}
          onChange={setPassword}
        />
      </Form>
    </div>
  );
}
