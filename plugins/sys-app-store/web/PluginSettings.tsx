import type { PluginEntity, PluginSettingsForm } from '@trellis/sdk/shared';
import {
  messageOfError,
  problemsAfter,
  problemsOf,
  useHost,
  useServerData,
  type FormProblems,
} from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Form, Notice, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';

interface PluginSettingsProps {
  readonly plugin: PluginEntity;
  readonly onClose: () => void;
}

/** The settings of one plugin in a dialog. */
export default function PluginSettings({ plugin, onClose }: PluginSettingsProps) {
  const { t } = useHost();
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}/settings`;
  const { data, error, refetch } = useServerData<PluginSettingsForm>({ path }, { tags: ['plugins'] });
  return (
    <Dialog title={t('Settings of {{name}}', { name: plugin.name })} width={520} onClose={onClose}>
      {data !== undefined ? (
        <SettingsForm plugin={plugin} path={path} form={data} onClose={onClose} />
      ) : error === undefined ? (
        <Skeleton height={160} />
      ) : (
        <ErrorNotice message={error.message} onRetry={refetch} />
      )}
    </Dialog>
  );
}

interface Outcome {
  readonly ok: boolean;
  readonly message: string;
}

/** What was read first stays the ground of the form: nothing that others save changes what somebody is typing. */
function SettingsForm(
  props: PluginSettingsProps & { readonly path: string; readonly form: PluginSettingsForm },
) {
  const { plugin, path, form, onClose } = props;
  const { api, t, toast, invalidate, SchemaForm } = useHost();
  const [values, setValues] = useState(form.values);
  const [problems, setProblems] = useState<FormProblems>({});
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const isOn = plugin.state === 'enabled' || plugin.state === 'degraded';

  function change(next: PluginSettingsForm['values']): void {
    setProblems((before) => problemsAfter(before, values, next));
    setOutcome(undefined);
    setValues(next);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    setOutcome(undefined);
    setProblems({});
    try {
      await work();
    } catch (error) {
      const found = problemsOf(error);
      setProblems(found);
      if (Object.keys(found).length === 0) setOutcome({ ok: false, message: messageOfError(error, t) });
    } finally {
      setIsBusy(false);
    }
  }

  function save(): void {
    void attempt(async () => {
      await api.request({ method: 'PUT', path, body: { input: values } });
      invalidate(['plugins']);
      toast({ severity: 'success', summary: t('The settings of {{name}} are saved', { name: plugin.name }) });
      onClose();
    });
  }

  function test(): void {
    void attempt(async () => {
      setOutcome(
        await api.request<Outcome>({ method: 'POST', path: `${path}/test`, body: { input: values } }),
      );
    });
  }

  return (
    <Form
      submitLabel={t('Save')}
      isBusy={isBusy}
      aside={
        form.testable &&
        isOn && (
          <button type="button" className="tr-button" aria-disabled={isBusy} onClick={() => isBusy || test()}>
            {t('Test')}
          </button>
        )
      }
      onSubmit={save}
      onCancel={onClose}
    >
      <SchemaForm
        schema={form.schema}
        value={values}
        onChange={change}
        problems={problems}
        disabled={isBusy}
      />
      {outcome !== undefined && (
        <Notice severity={outcome.ok ? 'success' : 'error'}>
          {outcome.message || (outcome.ok ? t('It works.') : t('It does not work.'))}
        </Notice>
      )}
    </Form>
  );
}
