import { Dialog } from 'primereact/dialog';
import { useRegistry, useShell, useT } from '@trellis/sdk/web';
import { Suspense } from 'react';
import { Contributed } from '../host/Contributed.tsx';
import { useHostParts } from '../host/host-parts-context.ts';
import { isShown } from '../shell/is-shown.ts';
import { PageSkeleton } from '../shell/PageSkeleton.tsx';
import { settingsDialog } from './settings-dialog-state.ts';

/** What a person can choose for themselves: the panels of the registry, the host's own among them. */
export function SettingsDialog({ panelId }: { readonly panelId: string }) {
  const t = useT();
  const { context } = useShell();
  const panels = useRegistry('settingsPanels');
  const { diagnostics, registries } = useHostParts();
  const registry = registries.get('settingsPanels');
  const shown = panels.filter((panel) => isShown(panel, context, registry, diagnostics));
  const active = shown.find(({ id }) => id === panelId) ?? shown[0];
  return (
    <Dialog
      visible
      modal
      className="tr-dialog tr-dialog--settings"
      header={t('Settings')}
      draggable={false}
      resizable={false}
      dismissableMask
      onHide={() => settingsDialog.close()}
    >
      <div
        className="tr-settings-panels"
        role="tablist"
        aria-orientation="vertical"
        aria-label={t('Settings')}
      >
        {shown.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={id === active?.id}
            onClick={() => settingsDialog.open(id)}
          >
            {icon !== undefined && <i className={`pi pi-${icon}`} aria-hidden="true" />}
            {t(label)}
          </button>
        ))}
      </div>
      <div className="tr-settings-content" role="tabpanel">
        {active !== undefined && (
          <Contributed
            key={active.id}
            registry="settingsPanels"
            id={active.id}
            what={t('settings panel {{label}}', { label: active.label })}
          >
            <Suspense fallback={<PageSkeleton />}>
              <active.Component />
            </Suspense>
          </Contributed>
        )}
      </div>
    </Dialog>
  );
}
