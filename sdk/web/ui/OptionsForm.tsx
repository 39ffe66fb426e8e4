import { useState, type ReactNode } from 'react';
import type { SettingsSchema } from '../../shared/index.ts';
import { messageOfError } from '../attempt.ts';
import { problemsAfter, problemsOf, type FormProblems } from '../form-problems.ts';
import { useHost } from '../host.tsx';
import { Form } from './Form.tsx';

/** Options that are edited and then saved together. @public */
export interface OptionsFormProps {
  readonly schema: SettingsSchema;
  /** What is saved so far, defaults filled in. What others save meanwhile does not change what somebody is typing. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Throws `ApiError` where the server refuses; what it finds wrong stands at the fields. */
  onSave(this: void, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** After saving, and on Cancel. */
  onClose(this: void): void;
}

/** A form made of a schema, with its buttons. @public */
export function OptionsForm({ schema, value, onSave, onClose }: OptionsFormProps): ReactNode {
  const { SchemaForm, t } = useHost();
  const [draft, setDraft] = useState(value);
  const [problems, setProblems] = useState<FormProblems>({});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  function change(next: Readonly<Record<string, unknown>>): void {
    setProblems((before) => problemsAfter(before, draft, next));
    setProblem(undefined);
    setDraft(next);
  }

  async function save(): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await onSave(draft);
      onClose();
    } catch (error) {
      const found = problemsOf(error);
      setProblems(found);
      if (Object.keys(found).length === 0) setProblem(messageOfError(error, t));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Form
      submitLabel={t('Save')}
      isBusy={isBusy}
      problem={problem}
      onSubmit={() => void save()}
      onCancel={onClose}
    >
      <SchemaForm schema={schema} value={draft} onChange={change} problems={problems} disabled={isBusy} />
    </Form>
  );
}
