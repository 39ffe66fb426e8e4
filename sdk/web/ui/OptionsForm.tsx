import type { ReactNode } from 'react';
import type { SettingsSchema } from '../../shared/index.ts';
import { useHost } from '../host.tsx';
import { useSettingsDraft } from '../settings-draft.ts';
import { Form } from './Form.tsx';

/** The props of options that are edited and saved together. @public */
export interface OptionsFormProps {
  readonly schema: SettingsSchema;
  /** The saved values, with defaults. Changes that others save meanwhile do not affect the input. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Why nothing can be changed, in the user's words: the fields are then read-only. Default: they can be changed. */
  readonly reason?: string | undefined;
  /** Throws `ApiError` if the server refuses; its problems are shown at the fields. */
  onSave(this: void, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** After saving, and on Cancel. */
  onClose(this: void): void;
}

/** Whether a form for the schema would show anything. @public */
export function hasFields(schema: SettingsSchema | undefined): boolean {
  return Object.values(schema?.properties ?? {}).some((property) => property['x-ui']?.hidden !== true);
}

/** A form for a schema, with its buttons; if nothing can be changed, the values and the reason. @public */
export function OptionsForm({ reason, ...props }: OptionsFormProps): ReactNode {
  const { SchemaForm } = useHost();
  if (reason === undefined) return <EditedOptions {...props} />;
  return (
    <div className="tr-form">
      <p className="tr-note">{reason}</p>
      <SchemaForm schema={props.schema} value={props.value} onChange={() => undefined} disabled />
    </div>
  );
}

function EditedOptions({ schema, value, onSave, onClose }: Omit<OptionsFormProps, 'reason'>): ReactNode {
  const { SchemaForm, sharedT: t } = useHost();
  const { values, problems, problem, isBusy, change, send } = useSettingsDraft(value);
  const save = async (): Promise<void> => {
    if (await send(onSave)) onClose();
  };
  return (
    <Form
      submitLabel={t('Save')}
      isBusy={isBusy}
      problem={problem}
      onSubmit={() => void save()}
      onCancel={onClose}
    >
      <SchemaForm schema={schema} value={values} onChange={change} problems={problems} disabled={isBusy} />
    </Form>
  );
}
