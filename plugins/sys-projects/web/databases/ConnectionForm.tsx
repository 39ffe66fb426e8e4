import { useHost, useSettingsDraft } from '@trellis/sdk/web';
import { Form, Notice } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { defaultsOf, type DatabaseKind } from './database-requests.ts';
import { useConnectionTest, type TestRequest } from './use-connection-test.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The form of a connection, whatever its kind, with a test before it is saved. */
export function ConnectionForm(props: {
  readonly kind: DatabaseKind;
  /** What is saved so far; its secrets are masked. */
  readonly saved?: Settings;
  /** Further fields above those of the kind. */
  readonly children?: ReactNode;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly canSubmit?: boolean;
  /** Where these settings are tested. */
  readonly testOf: (settings: Settings) => TestRequest;
  /** Throws `ApiError` where the server refuses; what it finds wrong stands at the fields. */
  readonly onSubmit: (settings: Settings) => Promise<unknown>;
  readonly onCancel: () => void;
}) {
  const { SchemaForm, t } = useHost();
  const { kind } = props;
  const draft = useSettingsDraft({ ...defaultsOf(kind), ...props.saved });
  const tried = useConnectionTest();
  const isComplete = (kind.settings.required ?? []).every((name) => isGiven(draft.values[name]));

  function change(values: Settings) {
    tried.reset();
    draft.change(values);
  }

  return (
    <Form
      submitLabel={props.submitLabel}
      busyLabel={props.busyLabel}
      isBusy={draft.isBusy}
      canSubmit={isComplete && props.canSubmit !== false}
      problem={draft.problem}
      aside={
        <button
          type="button"
          className="tr-button"
          aria-disabled={!isComplete || draft.isBusy}
          onClick={() => {
            if (tried.isBusy) return tried.cancel();
            if (isComplete && !draft.isBusy)
              void draft.send(async (values) => tried.run(props.testOf(values)));
          }}
        >
          {tried.isBusy ? (
            <>
              <i className="pi pi-spin pi-spinner" aria-hidden="true" /> {t('Cancel the test')}
            </>
          ) : (
            t('Test connection')
          )}
        </button>
      }
      onSubmit={() => void draft.send(props.onSubmit)}
      onCancel={props.onCancel}
    >
      {props.children}
      <div className="projects-connection">
        <SchemaForm
          schema={kind.settings}
          value={draft.values}
          onChange={change}
          problems={draft.problems}
          disabled={draft.isBusy && !tried.isBusy}
        />
      </div>
      {tried.isGood && <Notice severity="success">{t('Connection was successful')}</Notice>}
      {tried.problem !== undefined && <Notice severity="error">{tried.problem}</Notice>}
    </Form>
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
