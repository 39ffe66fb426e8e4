import type { PluginEntity, PluginSettingsForm } from '@trellis/sdk/shared';
import { InWordsOf, useHost, useServerData, useSettingsDraft, useWordsOf } from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Form, Notice, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';

interface PluginSettingsProps {
  readonly plugin: PluginEntity;
  readonly onClose: () => void;
  /** Somebody wants to switch the plugin on, which needs these settings. */
  readonly onSaved?: (() => void) | undefined;
}

/** The settings of one plugin in a dialog. */
export default function PluginSettings({ plugin, onClose, onSaved }: PluginSettingsProps) {
  const t = useWordsOf()(plugin);
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}/settings`;
  const { data, error, refetch } = useServerData<PluginSettingsForm>(
    { path },
    { tags: ['plugins'], isDraft: true },
  );
  return (
    <Dialog title={t('Settings of {{name}}', { name: t(plugin.name) })} width={520} onClose={onClose}>
      {data !== undefined ? (
        <InWordsOf plugin={plugin}>
          <SettingsForm plugin={plugin} path={path} form={data} onClose={onClose} onSaved={onSaved} />
        </InWordsOf>
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
  const { plugin, path, form, onClose, onSaved } = props;
  const { api, t, toast, invalidate, SchemaForm } = useHost();
  const draft = useSettingsDraft(form.values);
  const { values, problem, isBusy } = draft;
  const [tested, setTested] = useState<Outcome>();
  const isOn = plugin.state === 'enabled' || plugin.state === 'degraded';
  const outcome = problem === undefined ? tested : { ok: false, message: problem };

  async function save(): Promise<void> {
    setTested(undefined);
    const isSaved = await draft.send((input) => api.request({ method: 'PUT', path, body: { input } }));
    if (!isSaved) return;
    invalidate(['plugins']);
    toast({
      severity: 'success',
      summary: t('The settings of {{name}} are saved', { name: t(plugin.name) }),
    });
    onClose();
    onSaved?.();
  }

  function test(): Promise<boolean> {
    setTested(undefined);
    return draft.send(async (input) => {
      setTested(await api.request<Outcome>({ method: 'POST', path: `${path}/test`, body: { input } }));
    });
  }

  return (
    <Form
      submitLabel={onSaved === undefined ? t('Save') : t('Save and switch on')}
      isBusy={isBusy}
      aside={
        form.testable &&
        isOn && (
          <button
            type="button"
            className="tr-button"
            aria-disabled={isBusy}
            onClick={() => isBusy || void test()}
          >
            {t('Test')}
          </button>
        )
      }
      onSubmit={() => void save()}
      onCancel={onClose}
    >
      {onSaved !== undefined && (
        <p className="tr-note">
          {t('It needs these before it can work: {{names}}.', { names: plugin.missingSettings.join(', ') })}
        </p>
      )}
      <SchemaForm
        schema={form.schema}
        value={values}
        onChange={(next) => {
          setTested(undefined);
          draft.change(next);
        }}
        problems={draft.problems}
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
