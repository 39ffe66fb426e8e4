import { lazy, Suspense } from 'react';
import { useHostParts } from '../host/host-parts-context.ts';
import { useObservable } from '../host/use-observable.ts';
import { settingsDialog } from '../settings/settings-dialog-state.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }));
const SettingsDialog = lazy(async () => ({
  default: (await import('../settings/SettingsDialog.tsx')).SettingsDialog,
}));

/** The host's dialogs; their code arrives when the first one is opened. */
export function Dialogs() {
  const { confirms } = useHostParts();
  const pending = useObservable(confirms.onDidChange, () => confirms.current());
  const panel = useObservable(settingsDialog.onDidChange, () => settingsDialog.panel());
  return (
    <Suspense>
      {panel !== undefined && <SettingsDialog panelId={panel} />}
      {pending !== undefined && <ConfirmDialog key={pending.question.title} pending={pending} />}
    </Suspense>
  );
}
