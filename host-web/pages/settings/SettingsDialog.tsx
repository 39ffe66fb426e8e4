import { Dialog } from 'primereact/dialog';
import { Contribution, useContributions, useT } from '@trellis/sdk/web';
import { PageSkeleton } from '../../shell/PageSkeleton.tsx';
import { usePageParts } from '../parts.ts';

/** What a person can choose for themselves: the panels of the registry, the host's own among them. */
export function SettingsDialog({ panelId }: { readonly panelId: string }) {
  const t = useT();
  const { shell } = usePageParts();
  const shown = useContributions('settingsPanels');
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
      onHide={() => shell.closeSettings()}
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
            onClick={() => shell.openSettings(id)}
          >
            {icon !== undefined && <i className={`pi pi-${icon}`} aria-hidden="true" />}
            {t(label)}
          </button>
        ))}
      </div>
      <div className="tr-settings-content" role="tabpanel">
        {active !== undefined && (
          <Contribution
            key={active.id}
            registry="settingsPanels"
            id={active.id}
            what={t('settings panel {{label}}', { label: active.label })}
            fallback={<PageSkeleton />}
          >
            <active.Component />
          </Contribution>
        )}
      </div>
    </Dialog>
  );
}
