import { lazy, Suspense } from 'react';
import { useObservable } from '../base/use-observable.ts';
import { useHostParts } from './host-parts.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../feedback/ConfirmDialog.tsx')).ConfirmDialog,
}));
const SettingsDialog = lazy(async () => ({
  default: (await import('../pages/settings/SettingsDialog.tsx')).SettingsDialog,
}));

/** The host's dialogs; their code is loaded when the first one opens. */
export function Dialogs() {
  const { confirms, shell } = useHostParts();
  const pending = useObservable(confirms.onDidChange, () => confirms.current());
  const panel = useObservable(shell.onDidChange, () => shell.settingsPanel);
  return (
    <Suspense>
      {panel !== undefined && <SettingsDialog panelId={panel} />}
      {pending !== undefined && <ConfirmDialog key={pending.question.title} pending={pending} />}
    </Suspense>
  );
}
