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

/** The options of a view, where its type has any: edited by the panel of the type or by a form. */
export function ViewSettingsButton(props: ViewProps) {
  const t = useT();
  const type = useRegistryItem('viewTypes', props.view.view_type);
  if (type?.SettingsPanel === undefined && !hasFields(type?.options)) return null;
  return (
    <PopoverButton icon="cog" label={t('Settings')}>
      {/* What is on its way for one view is not shown, or saved, for another. */}
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
  // Of the moment when the form opened: the page reads the view again meanwhile.
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
  // A panel of the type's own is made to be changed.
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
  /** Of the options that a person may set for themselves. */
  readonly names: readonly string[];
  readonly own: OwnLook;
}

/** The options that somebody sets for themselves alone, since the view is not theirs to arrange. */
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
