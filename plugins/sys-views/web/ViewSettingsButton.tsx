import { useState } from 'react';
import { Contribution, useRegistryItem, useT, type ViewProps } from '@trellis/sdk/web';
import { hasFields, OptionsForm, PopoverButton } from '@trellis/sdk/web/ui';
import { useSaveViewOptions, useViewOptions } from '@trellis/sdk/web/views';
import { settingsReason, useToldSave } from './use-view-calls.ts';

/** The options of a view, where its type has any: edited by the panel of the type or by a form. */
export function ViewSettingsButton(props: ViewProps) {
  const t = useT();
  const type = useRegistryItem('viewTypes', props.view.view_type);
  if (type?.SettingsPanel === undefined && !hasFields(type?.options)) return null;
  return (
    <PopoverButton icon="cog" label={t('Settings')}>
      {(close) => <SettingsPanel {...props} onClose={close} />}
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
  const reason = settingsReason(props);
  const saved = useToldSave(view, sendShown);

  function sendShown(meta: Readonly<Record<string, unknown>>): Promise<void> {
    return send(meta, saved.shown ?? options);
  }

  if (reason !== undefined || type === undefined) return <p>{t(reason ?? '')}</p>;
  const Panel = type.SettingsPanel;
  if (Panel !== undefined)
    return (
      <Contribution registry="viewTypes" id={type.id} what={t(type.label)}>
        <Panel
          {...props}
          settings={saved.shown ?? options}
          onChange={(settings) => void saved.save(settings)}
        />
      </Contribution>
    );
  if (type.options === undefined) return null;
  return (
    <OptionsForm
      schema={type.options}
      value={options}
      onSave={(meta) => send(meta, before)}
      onClose={onClose}
    />
  );
}
