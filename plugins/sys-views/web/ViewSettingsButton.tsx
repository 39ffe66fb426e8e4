import { Contribution, useHost, useRegistryItem, useT, type ViewProps } from '@trellis/sdk/web';
import { PopoverButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { lockReason, useViewCalls, viewPath } from './use-view-calls.ts';

/** The settings of a view by its type, where the type has any: each change is saved. */
export function ViewSettingsButton(props: ViewProps) {
  const { table, view } = props;
  const t = useT();
  const host = useHost();
  const type = useRegistryItem('viewTypes', view.view_type);
  const { send } = useViewCalls(view);
  /** What was chosen, until the view itself says so. */
  const [chosen, setChosen] = useState<{
    readonly of: ViewProps['view'];
    readonly settings: Readonly<Record<string, unknown>>;
  }>();
  if (type?.SettingsPanel === undefined) return null;
  const reason = lockReason(props);

  async function save(settings: Readonly<Record<string, unknown>>) {
    setChosen({ of: view, settings });
    await send({ method: 'PATCH', path: viewPath(view), body: { meta: settings } }, () =>
      setChosen(undefined),
    );
    host.invalidate([`table:${table.id}`]);
  }

  return (
    <PopoverButton icon="cog" label={t('Settings')}>
      {() =>
        reason === undefined && type.SettingsPanel ? (
          <Contribution registry="viewTypes" id={type.id} what={t(type.label)}>
            <type.SettingsPanel
              {...props}
              settings={(chosen?.of === view ? chosen.settings : view.meta) ?? {}}
              onChange={(settings) => void save(settings)}
            />
          </Contribution>
        ) : (
          <p>{t(reason ?? '')}</p>
        )
      }
    </PopoverButton>
  );
}
