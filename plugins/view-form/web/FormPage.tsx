import type { ColumnEntity, Row, TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  messageOfError,
  useHost,
  useServerData,
  useT,
  visitedCall,
  VisitedViewContext,
  type VisitedView,
} from '@trellis/sdk/web';
import { Empty, ErrorNotice, Form, Notice, pageLanguage, PageSkeleton, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import { formOptions, quickestAnswer, type FormOptions } from '../shared/index.ts';
import { useFormFields } from './form-fields.ts';
import { FormFill, type SentAside } from './FormFill.tsx';
import { FormHead } from './FormHead.tsx';
import './form.css';

/** A form as strangers receive it. */
interface PublicForm {
  readonly id: string;
  readonly title: string;
  /** What the link permits, as JSON text. */
  readonly meta: string;
  readonly relatedMetas: Readonly<Record<string, TableEntity>>;
  readonly view: { readonly meta: Readonly<Record<string, unknown>> };
  readonly columns: readonly ViewColumnEntity[];
  readonly model: { readonly columns: readonly ColumnEntity[] };
  /** Why nothing can be sent now, as the server would refuse it. */
  readonly closed?: Closed;
  /** A signed mark of when the form was opened, to be sent back. */
  readonly handed?: string;
}

/** Minimum milliseconds before sending: slightly more than the server requires. */
const soonest = quickestAnswer + 100;

/** Why a form accepts no answers. */
interface Closed {
  readonly code: string;
  readonly msg: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Why a link does not open its form: the password is missing or wrong, or the link is no longer valid. */
type Barred = 'password' | 'gone';

function barredBy({ status, code }: ApiError): Barred | undefined {
  if (code === 'INVALID_SHARED_VIEW_PASSWORD') return 'password';
  return status === 404 ? 'gone' : undefined;
}

/** A form's page for visitors with its link. */
export default function FormPage() {
  const { uuid = '' } = useParams();
  const [password, setPassword] = useState<string>();
  const link = { uuid, ...(password !== undefined && { password }) };
  const { data, error, refetch } = useServerData<PublicForm>(visitedCall(link, 'meta'), {
    tags: [`shared-view:${uuid}`],
  });
  // A later failed answer removes neither the form nor the entries: sending then reports the problem.
  const [known, setKnown] = useState<{ readonly uuid: string; readonly form: PublicForm }>();
  if (data !== undefined && (known?.form !== data || known.uuid !== uuid)) setKnown({ uuid, form: data });
  const form = known?.uuid === uuid ? known.form : undefined;
  /** The link's problem if it changed while the form was filled in. */
  const [barred, setBarred] = useState<Barred>();
  const of = { error, password, isAsked: barred === 'password', onPassword: retry };
  function retry(typed: string): void {
    setBarred(undefined);
    // The owner may have changed the password to this one meanwhile.
    if (typed === password) refetch();
    else setPassword(typed);
  }
  const isOpen = barred === undefined && data !== undefined;
  return (
    <>
      {form !== undefined && (
        <div hidden={!isOpen} style={isOpen ? { display: 'contents' } : undefined}>
          <OpenForm key={uuid} uuid={uuid} password={password} form={form} onBarred={setBarred} />
        </div>
      )}
      {!isOpen && <LinkState {...of} isGone={barred === 'gone'} onRetry={refetch} />}
    </>
  );
}

/** Shown instead of the form: asks for the password, or says that it is no longer shared, not loaded yet or could not be read. */
function LinkState(props: {
  readonly error: ApiError | undefined;
  readonly password: string | undefined;
  readonly isGone: boolean;
  /** Whether the password changed while the form was filled in. */
  readonly isAsked: boolean;
  onPassword(this: void, typed: string): void;
  onRetry(this: void): void;
}) {
  const { error, password, isAsked } = props;
  const t = useT();
  if (props.isGone || (!isAsked && error !== undefined && barredBy(error) === 'gone'))
    return (
      <div className="form-page">
        <Empty
          icon="lock"
          title={t('This link opens nothing')}
          text={t('The form is not shared any more, or it has a new link. Ask whoever gave it to you.')}
        />
      </div>
    );
  if (isAsked || (error !== undefined && barredBy(error) === 'password'))
    return (
      <PasswordAsked
        key={password}
        isWrong={!isAsked && password !== undefined}
        onPassword={props.onPassword}
      />
    );
  if (error !== undefined)
    return (
      <div className="form-page">
        <ErrorNotice
          title={t('The form could not be opened')}
          message={messageOfError(error, t)}
          onRetry={props.onRetry}
        />
      </div>
    );
  return <PageSkeleton />;
}

function OpenForm(props: {
  readonly uuid: string;
  readonly password: string | undefined;
  readonly form: PublicForm;
  /** Called if the link no longer opens the form. */
  onBarred(this: void, barred: Barred): void;
}) {
  const { uuid, password, form, onBarred } = props;
  const { api } = useHost();
  const options = formOptions(form.view.meta);
  const title = options.heading || form.title;
  useEffect(() => {
    document.title = title;
  }, [title]);
  // Entries stay even if the form is closed meanwhile: sending reports it.
  const [wasOpen, setOpen] = useState(form.closed === undefined);
  if (!wasOpen && form.closed === undefined) setOpen(true);
  const closed = wasOpen ? undefined : form.closed;
  const fields = useFormFields(form.columns, form.model.columns);
  const visited = useMemo(
    (): VisitedView => ({
      uuid,
      ...(password !== undefined && { password }),
      viewId: form.id,
      columns: form.columns,
      tables: form.relatedMetas,
      allowsSearch: (JSON.parse(form.meta) as { readonly allowSearch?: boolean }).allowSearch !== false,
    }),
    [uuid, password, form],
  );
  const [opened] = useState(() => ({ sign: form.handed, at: performance.now() }));
  async function send(row: Row, aside: SentAside): Promise<boolean> {
    // A person whom a link's prefilled answers make faster than that waits for the remaining time.
    if (opened.sign !== undefined) await delay(opened.at + soonest - performance.now());
    try {
      await api.request({
        method: 'POST',
        ...visitedCall(visited, 'rows'),
        body: { data: row, ...aside, opened: opened.sign },
        once: row,
      });
      return true;
    } catch (error) {
      const barred = error instanceof ApiError ? barredBy(error) : undefined;
      if (barred === undefined) throw error;
      onBarred(barred);
      return false;
    }
  }
  return (
    <div className="form-page">
      <VisitedViewContext value={visited}>
        {closed === undefined ? (
          <FormFill title={form.title} options={options} fields={fields} draft={uuid} onSend={send} />
        ) : (
          <ClosedForm title={form.title} options={options} closed={closed} />
        )}
      </VisitedViewContext>
    </div>
  );
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Shown instead of the fields of a closed form. */
function ClosedForm(props: {
  readonly title: string;
  readonly options: FormOptions;
  readonly closed: Closed;
}) {
  const { title, options, closed } = props;
  const t = useT();
  const when = new Date(options.opensAt).toLocaleString(pageLanguage(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <div className="form-sheet">
      <FormHead title={title} options={options} viewId={undefined} />
      <Notice severity="info">
        {messageOfError(new ApiError(400, closed.msg, closed.code, closed.params), t)}
        {closed.code === 'FORM_NOT_OPEN' && <> {t('It opens on {{when}}.', { when })}</>}
      </Notice>
    </div>
  );
}

function PasswordAsked(props: {
  readonly isWrong: boolean;
  readonly onPassword: (password: string) => void;
}) {
  const t = useT();
  const [typed, setTyped] = useState('');
  return (
    <div className="form-page">
      <div className="form-sheet">
        <h1>{t('This form asks for a password')}</h1>
        <Form
          submitLabel={t('Open')}
          isBusy={false}
          canSubmit={typed !== ''}
          onSubmit={() => props.onPassword(typed)}
        >
          <TextField
            label={t('Password')}
            type="password"
            value={typed}
            autoFocus
            autoComplete="off"
            problem={props.isWrong ? t('This is not the password of the form.') : undefined}
            onChange={setTyped}
          />
        </Form>
      </div>
    </div>
  );
}
