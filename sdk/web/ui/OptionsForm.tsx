import type { ReactNode } from 'react';
import type { SettingsSchema } from '../../shared/index.ts';
import { useHost } from '../host.tsx';
import { useSettingsDraft } from '../settings-draft.ts';
import { Form } from './Form.tsx';

/** Options that are edited and then saved together. @public */
export interface OptionsFormProps {
  readonly schema: SettingsSchema;
  /** What is saved so far, defaults filled in. What others save meanwhile does not change what somebody is typing. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Why nothing of it may be changed, in the user's words: its fields are shown, to be read alone. Default: they may be changed. */
  readonly reason?: string | undefined;
  /** Throws `ApiError` where the server refuses; what it finds wrong stands at the fields. */
  onSave(this: void, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** After saving, and on Cancel. */
  onClose(this: void): void;
}

/** Whether a form made of the schema would show anything. @public */
export function hasFields(schema: SettingsSchema | undefined): boolean {
  return Object.values(schema?.properties ?? {}).some((property) => property['x-ui']?.hidden !== true);
}

/** A form made of a schema, with its buttons; where nothing of it may be changed, what it is made of and why. @public */
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
