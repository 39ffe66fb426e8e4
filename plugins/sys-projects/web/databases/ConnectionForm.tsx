import { useHost, useSettingsDraft, type FormProblems } from '@trellis/sdk/web';
import { Form, Notice, WorkButton } from '@trellis/sdk/web/ui';
import { useRef, useState, type ReactNode } from 'react';
import type { DatabaseAddress } from '../../shared/index.ts';
import { AddressField } from './AddressField.tsx';
import {
  defaultsOf,
  isFileKind,
  withoutFile,
  type DatabaseInput,
  type DatabaseKind,
  type NewDatabaseInput,
} from './database-requests.ts';
import { KindChoice } from './KindChoice.tsx';
import { NameStyles, type NameStylesValue } from './NameStyles.tsx';
import { SqliteFileField } from './SqliteFileField.tsx';
import { useConnectionTest, type TestRequest } from './use-connection-test.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The form of a connection, which can be tested before it is saved. */
export function ConnectionForm(props: {
  /** The kinds to choose from if nothing is saved yet. */
  readonly kinds: readonly [DatabaseKind, ...DatabaseKind[]];
  /** The saved settings with masked secrets. */
  readonly saved?: Settings;
  /** Further fields above the others. */
  readonly children?: ReactNode;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly canSubmit?: boolean;
  /** The request that tests these settings. */
  readonly testOf: (database: DatabaseInput) => TestRequest;
  /** Throws `ApiError` if the server refuses; problems with values are shown at their fields. */
  readonly onSubmit: (database: NewDatabaseInput) => Promise<unknown>;
  readonly onCancel: () => void;
}) {
  const { SchemaForm, t } = useHost();
  const { kinds, saved } = props;
  const [kind, setKind] = useState<DatabaseKind>(kinds[0]);
  const left = useRef(new Map<DatabaseKind, Settings>());
  const draft = useSettingsDraft({ ...defaultsOf(kind), ...saved });
  const tried = useConnectionTest();
  const [styles, setStyles] = useState<NameStylesValue>({ table: 'camelize', column: 'camelize' });
  const described = (settings: Settings): NewDatabaseInput => ({
    type: kind.id,
    settings,
    inflection_table: styles.table,
    inflection_column: styles.column,
  });
  const [asked, setAsked] = useState(false);
  const missing = (kind.settings.required ?? []).filter((name) => !isGiven(draft.values[name]));
  const isComplete = missing.length === 0;
  const isSaving = draft.isBusy && !tried.isBusy;
  // The file of an open database cannot be replaced.
  const asksForFile = saved === undefined && isFileKind(kind);

  /** Shows missing values at their fields before anything is sent. */
  function send(work: (database: NewDatabaseInput) => Promise<unknown>) {
    setAsked(true);
    if (isComplete && !draft.isBusy) void draft.send((values) => work(described(values)));
  }

  function change(values: Settings) {
    tried.reset();
    draft.change(values);
  }

  /** Each kind has its own settings; they are restored when the kind is chosen again. */
  function choose(id: string) {
    const next = kinds.find((of) => of.id === id);
    if (next === undefined || next === kind || isSaving) return;
    left.current.set(kind, draft.values);
    tried.cancel();
    setAsked(false);
    change(left.current.get(next) ?? defaultsOf(next));
    setKind(next);
  }

  /** For a kind that cannot be connected here, nothing is filled in. */
  function fillIn({ type, ...parts }: DatabaseAddress) {
    const next = kinds.find((of) => of.id === type);
    if (next === undefined || isSaving) return;
    const before = next === kind ? draft.values : (left.current.get(next) ?? defaultsOf(next));
    choose(type);
    const known = Object.entries(parts).filter(([name]) => next.settings.properties?.[name] !== undefined);
    change({ ...before, ...Object.fromEntries(known) });
  }

  return (
    <Form
      submitLabel={props.submitLabel}
      busyLabel={props.busyLabel}
      isBusy={isSaving}
      canSubmit={props.canSubmit !== false && !tried.isBusy}
      problem={draft.problem}
      aside={
        <WorkButton
          isBusy={isSaving}
          onClick={() => {
            if (tried.isBusy) tried.cancel();
            else send((database) => tried.run(props.testOf(database)));
          }}
        >
          {tried.isBusy ? (
            <>
              <i className="pi pi-spin pi-spinner" aria-hidden="true" /> {t('Cancel the test')}
            </>
          ) : (
            t('Test connection')
          )}
        </WorkButton>
      }
      onSubmit={() => send(props.onSubmit)}
      onCancel={props.onCancel}
    >
      {props.children}
      {saved === undefined && (
        <>
          {kinds.some((of) => !isFileKind(of)) && <AddressField onRead={fillIn} />}
          <KindChoice kinds={kinds} value={kind.id} onChange={choose} />
        </>
      )}
      {asksForFile && (
        <SqliteFileField
          value={typeof draft.values.file === 'string' ? draft.values.file : undefined}
          problem={asked && missing.includes('file') ? t('Choose a file first.') : undefined}
          isUsed={isSaving}
          onChange={(file) => change({ ...draft.values, file })}
        />
      )}
      <div className="projects-connection">
        <SchemaForm
          schema={asksForFile ? withoutFile(kind.settings) : kind.settings}
          value={draft.values}
          onChange={change}
          problems={{ ...(asked && problemsOfMissing(missing)), ...draft.problems }}
          disabled={isSaving}
        />
        {saved === undefined && <NameStyles value={styles} onChange={setStyles} />}
      </div>
      {tried.isGood && <Notice severity="success">{t('Connection was successful')}</Notice>}
      {tried.problem !== undefined && (
        <Notice severity="error">
          <strong>{t('Connection Failure:')}</strong> {tried.problem}
        </Notice>
      )}
    </Form>
  );
}

/** The form's own messages, by the fields' pointers. */
function problemsOfMissing(names: readonly string[]): FormProblems {
  return Object.fromEntries(names.map((name) => [`/${name}`, 'is required']));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
