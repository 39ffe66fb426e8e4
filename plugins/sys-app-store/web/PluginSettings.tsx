import type { PluginEntity, PluginSettingsForm } from '@trellis/sdk/shared';
import {
  ApiError,
  problemsAfter,
  problemsOf,
  useHost,
  useServerData,
  type FormProblems,
} from '@trellis/sdk/web';
import { Dialog } from 'primereact/dialog';
import { useState, type SubmitEvent } from 'react';

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
    <Dialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={t('Settings of {{name}}', { name: plugin.name })}
      className="store-settings"
      onHide={onClose}
    >
      {data === undefined && error === undefined && (
        <div className="tr-skeleton tr-skeleton--form" aria-busy="true" />
      )}
      {data === undefined && error !== undefined && (
        <div role="alert">
          <p>{error.message}</p>
          <button type="button" className="tr-button" onClick={refetch}>
            {t('Try again')}
          </button>
        </div>
      )}
      {data !== undefined && <SettingsForm plugin={plugin} path={path} form={data} onClose={onClose} />}
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
      if (Object.keys(found).length === 0) {
        const message = error instanceof ApiError ? error.message : t('Some internal error occurred');
        setOutcome({ ok: false, message });
      }
    } finally {
      setIsBusy(false);
    }
  }

  function save(event: SubmitEvent): void {
    event.preventDefault();
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
    <form noValidate onSubmit={save}>
      <SchemaForm
        schema={form.schema}
        value={values}
        onChange={change}
        problems={problems}
        disabled={isBusy}
      />
      {outcome !== undefined && (
        <p className="store-outcome" data-ok={outcome.ok} role={outcome.ok ? 'status' : 'alert'}>
          {outcome.message || (outcome.ok ? t('It works.') : t('It does not work.'))}
        </p>
      )}
      <footer className="store-settings-foot">
        {form.testable && isOn && (
          <button type="button" className="tr-button" disabled={isBusy} onClick={test}>
            {t('Test')}
          </button>
        )}
        <span />
        <button type="button" className="tr-button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="submit" className="tr-button tr-button--primary" disabled={isBusy}>
          {t('Save')}
        </button>
      </footer>
    </form>
  );
}
