import { hostObjectKinds, type PluginEntity, type PluginSettingsForm } from '@trellis/sdk/shared';
import {
  InWordsOf,
  objectsTag,
  useHost,
  useServerData,
  useSettingsDraft,
  useWordsOf,
} from '@trellis/sdk/web';
import { Dialog, ErrorNotice, Form, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';

interface PluginSettingsProps {
  readonly plugin: PluginEntity;
  readonly onClose: () => void;
  /** Switches the plugin on, and says whether it is on then; undefined where that cannot be done. */
  readonly onSwitchOn?: (() => Promise<boolean>) | undefined;
}

/** The settings of one plugin in a dialog. */
export default function PluginSettings(props: PluginSettingsProps) {
  const { plugin, onClose } = props;
  const t = useWordsOf()(plugin);
  const [isUnsaved, setUnsaved] = useState(false);
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}/settings`;
  const { data, error, refetch } = useServerData<PluginSettingsForm>(
    { path },
    { tags: ['plugins', objectsTag(hostObjectKinds.pluginSettings)], isDraft: true },
  );
  return (
    <Dialog
      title={t('Settings of {{name}}', { name: t(plugin.name) })}
      width={520}
      isUnsaved={isUnsaved}
      onClose={onClose}
    >
      {data !== undefined ? (
        <InWordsOf plugin={plugin}>
          <SettingsForm {...props} path={path} form={data} onUnsaved={setUnsaved} />
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
  props: PluginSettingsProps & {
    readonly path: string;
    readonly form: PluginSettingsForm;
    /** Hears whether something is entered that is not saved. */
    readonly onUnsaved: (isUnsaved: boolean) => void;
  },
) {
  const { plugin, path, form, onClose, onSwitchOn } = props;
  const { api, t, toast, confirm, invalidate, SchemaForm } = useHost();
  const draft = useSettingsDraft(form.values);
  const { values, problem, isBusy } = draft;
  const [tested, setTested] = useState<Outcome>();
  /** The button beside those of the form whose work goes on. */
  const [pressed, setPressed] = useState<'test' | 'switch-on' | 'clear'>();
  const [isTestable, setIsTestable] = useState(form.testable);
  const [isOn, setIsOn] = useState(plugin.state === 'enabled' || plugin.state === 'degraded');
  const isNeeded = !isOn && onSwitchOn !== undefined && plugin.missingSettings.length > 0;
  const outcome = problem === undefined ? tested : { ok: false, message: problem };

  async function store(input: unknown): Promise<void> {
    setTested(undefined);
    await api.request({ method: 'PUT', path, body: { input } });
    props.onUnsaved(false);
    invalidate(['plugins']);
    toast({
      severity: 'success',
      summary: t('The settings of {{name}} are saved', { name: t(plugin.name) }),
    });
  }

  async function save(): Promise<void> {
    if (await draft.send(store)) onClose();
  }

  async function tryOut(input: unknown): Promise<Outcome> {
    const found = await api.request<Outcome>({ method: 'POST', path: `${path}/test`, body: { input } });
    setTested(found);
    return found;
  }

  /** Only a plugin that runs can try its settings out. Where they do not work the form stays, to be mended. */
  function saveAndSwitchOn(): Promise<boolean> {
    return draft.send(async (input) => {
      await store(input);
      if ((await onSwitchOn?.()) !== true) return onClose();
      setIsOn(true);
      const { testable } = await api.request<PluginSettingsForm>({ path });
      setIsTestable(testable);
      const found = testable ? await tryOut(input) : undefined;
      if (found?.ok === false) return;
      if (found !== undefined) toast({ severity: 'success', summary: found.message || t('It works.') });
      onClose();
    });
  }

  async function clear(): Promise<void> {
    const agrees = await confirm({
      title: t('Clear the settings of {{name}}?', { name: t(plugin.name) }),
      message: t('What is set here is forgotten, passwords and keys too, and the defaults hold again.'),
      confirmLabel: t('Clear'),
      danger: true,
    });
    if (!agrees) return;
    setTested(undefined);
    const isCleared = await draft.send(async () => {
      await api.request({ method: 'DELETE', path });
      invalidate(['plugins']);
      toast({
        severity: 'success',
        summary: t('The settings of {{name}} are cleared', { name: t(plugin.name) }),
      });
    });
    if (isCleared) onClose();
  }

  function test(): Promise<boolean> {
    setTested(undefined);
    return draft.send(tryOut);
  }

  /** A button beside those of the form. */
  function beside(button: NonNullable<typeof pressed>, work: () => Promise<unknown>) {
    const begin = async (): Promise<void> => {
      setPressed(button);
      try {
        await work();
      } finally {
        setPressed(undefined);
      }
    };
    return { isBusy, isOwn: pressed === button, onClick: () => void begin() };
  }

  return (
    <Form
      submitLabel={isNeeded ? t('Save and switch on') : t('Save')}
      isBusy={isBusy}
      isBusyAside={pressed !== undefined}
      aside={
        <>
          {isOn
            ? isTestable && <WorkButton {...beside('test', test)}>{t('Test')}</WorkButton>
            : onSwitchOn !== undefined &&
              !isNeeded && (
                <WorkButton {...beside('switch-on', saveAndSwitchOn)}>{t('Save and switch on')}</WorkButton>
              )}
          <WorkButton {...beside('clear', clear)}>{t('Clear the settings')}</WorkButton>
        </>
      }
      outcome={
        outcome !== undefined && (
          <Notice severity={outcome.ok ? 'success' : 'error'}>
            {outcome.message || (outcome.ok ? t('It works.') : t('It does not work.'))}
          </Notice>
        )
      }
      onSubmit={() => void (isNeeded ? saveAndSwitchOn() : save())}
      onCancel={onClose}
    >
      {isNeeded && (
        <p className="tr-note">
          {t('It needs these before it can work: {{names}}.', { names: plugin.missingSettings.join(', ') })}
        </p>
      )}
      <SchemaForm
        schema={form.schema}
        value={values}
        onChange={(next) => {
          setTested(undefined);
          props.onUnsaved(true);
          draft.change(next);
        }}
        problems={draft.problems}
        disabled={isBusy}
      />
    </Form>
  );
}
