import { Contribution, useContributions, useT } from '@trellis/sdk/web';
import { Dialog, PageSkeleton, Tabs } from '@trellis/sdk/web/ui';
import { usePageParts } from '../parts.ts';

/** A person's own settings: the panels of the registry, including the host's. */
export function SettingsDialog({ panelId }: { readonly panelId: string }) {
  const t = useT();
  const { shell } = usePageParts();
  const shown = useContributions('settingsPanels');
  const active = shown.find(({ id }) => id === panelId) ?? shown[0];
  return (
    <Dialog
      title={t('Settings')}
      width={720}
      className="tr-dialog--settings"
      dismissable
      onClose={() => shell.closeSettings()}
    >
      <Tabs
        label={t('Settings')}
        items={shown.map(({ id, label, icon }) => ({ id, label: t(label), icon }))}
        value={active?.id}
        vertical
        onChange={(id) => shell.openSettings(id)}
      >
        {active !== undefined && (
          <Contribution
            registry="settingsPanels"
            id={active.id}
            what={t('settings panel {{label}}', { label: t(active.label) })}
            fallback={<PageSkeleton />}
          >
            <active.Component />
          </Contribution>
        )}
      </Tabs>
    </Dialog>
  );
}
