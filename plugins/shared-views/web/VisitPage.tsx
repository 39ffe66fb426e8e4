import { messageOfError, useT } from '@trellis/sdk/web';
import { Cover, Empty, ErrorNotice, Form, PageSkeleton, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { SharedView } from './SharedView.tsx';
import { useVisit } from './use-visit.ts';

/** The page of a link: shows the view, asks for its password, or says that the link opens nothing. */
export default function VisitPage() {
  const { uuid = '' } = useParams();
  return <Visit key={uuid} uuid={uuid} />;
}

function Visit({ uuid }: { readonly uuid: string }) {
  const t = useT();
  const { state, visit, isTrying, attempt } = useVisit(uuid);
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
    case 'open': {
      const isLocked = state.kind === 'locked';
      const title = visit ? t('This view has a new password') : t('This view has a password');
      const hint = visit && t('What you were looking at is still there.');
      const gate = isLocked && <PasswordGate {...{ title, hint, state, isTrying, attempt }} />;
      return (
        <>
          {/* The view stays as the visitor left it, with their place, their entries and their search. */}
          {visit && <SharedView visit={visit} />}
          {visit && gate ? <Cover label={title}>{gate}</Cover> : gate}
        </>
      );
    }
  }
}

interface PasswordGateProps {
  readonly title: string;
  readonly hint: string | undefined;
  readonly state: { readonly wasWrong: boolean; readonly error?: unknown };
  readonly isTrying: boolean;
  readonly attempt: (password: string) => void;
}

/** Asks for a link's password; a wrong one stays in the field. */
function PasswordGate({ title, hint, state, isTrying, attempt }: PasswordGateProps) {
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
      <h1>{title}</h1>
      {hint !== undefined && <p>{hint}</p>}
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
