import { useState } from 'react';
import { Contribution, useRegistryItem, useT, type ViewProps, type WebViewType } from '@trellis/sdk/web';
import { hasFields, OptionsForm, PopoverButton } from '@trellis/sdk/web/ui';
import {
  OwnPart,
  useLockReason,
  useOwnLook,
  useSaveViewOptions,
  useShownViewOptions,
  useViewOptions,
  type OwnLook,
} from '@trellis/sdk/web/views';
import { optionsPermission, useToldSave } from './use-view-calls.ts';

/** Edits a view's options, if its type has any, by the type's panel or by a form. */
export function ViewSettingsButton(props: ViewProps) {
  const t = useT();
  const type = useRegistryItem('viewTypes', props.view.view_type);
  if (type?.SettingsPanel === undefined && !hasFields(type?.options)) return null;
  return (
    <PopoverButton icon="cog" label={t('Settings')}>
      {/* The key keeps unsaved changes of one view from being shown or saved for another. */}
      {(close) => <SettingsPanel key={props.view.id} {...props} onClose={close} />}
    </PopoverButton>
  );
}

function SettingsPanel({ onClose, ...props }: ViewProps & { readonly onClose: () => void }) {
  const { view } = props;
  const t = useT();
  const send = useSaveViewOptions(view);
  const type = useRegistryItem('viewTypes', view.view_type);
  const options = useViewOptions(view);
  // The state when the form opened: the page reads the view again meanwhile.
  const [before] = useState(options);
  const reason = useLockReason(props, optionsPermission(type));
  const own = useOwnLook('options', props);
  const saved = useToldSave(view, sendShown);

  function sendShown(meta: Readonly<Record<string, unknown>>): Promise<void> {
    return send(meta, saved.shown ?? options);
  }

  if (type === undefined) return null;
  if (reason !== undefined && type.ownOptions && own && type.SettingsPanel)
    return <OwnSettings {...props} type={type} names={type.ownOptions} own={own} />;
  // A type's own panel has no read-only state.
  if (reason !== undefined && type.SettingsPanel) return <p>{reason}</p>;
  const Panel = type.SettingsPanel;
  if (Panel !== undefined)
    return (
      <Contribution registry="viewTypes" id={type.id} what={t(type.label)}>
        <div className="tr-settings">
          <Panel
            {...props}
            settings={saved.shown ?? options}
            onChange={(settings) => void saved.save(settings)}
          />
        </div>
      </Contribution>
    );
  if (type.options === undefined) return null;
  return (
    <OptionsForm
      schema={type.options}
      value={options}
      reason={reason}
      onSave={(meta) => send(meta, before)}
      onClose={onClose}
    />
  );
}

interface OwnSettingsProps extends ViewProps {
  readonly type: WebViewType;
  /** The names of the options that a person may set for themselves. */
  readonly names: readonly string[];
  readonly own: OwnLook;
}

/** Edits the options that people set only for themselves, because they may not change the view. */
function OwnSettings({ type, names, own, ...props }: OwnSettingsProps) {
  const t = useT();
  const settings = useShownViewOptions(props);
  const Panel = type.SettingsPanel;
  if (Panel === undefined) return null;
  return (
    <OwnPart
      view={props.view}
      isSet={Object.keys(own.options).length > 0}
      onReset={() => own.change({ options: {} })}
    >
      <Contribution registry="viewTypes" id={type.id} what={t(type.label)}>
        <div className="tr-settings">
          <Panel
            {...props}
            settings={settings}
            onChange={(next) => {
              const changed = names.filter((name) => name in own.options || next[name] !== settings[name]);
              own.change({ options: Object.fromEntries(changed.map((name) => [name, next[name]])) });
            }}
          />
        </div>
      </Contribution>
    </OwnPart>
  );
}
