import { useShell, useT } from '@trellis/sdk/web';

/** Opens the schedules of the open project. */
export default function CronsButton() {
  const t = useT();
  const shell = useShell();
  if (shell.context.project === undefined) return null;
  return (
    <button
      type="button"
      className="tr-icon-button"
      title={t('Crons')}
      aria-label={t('Crons')}
      onClick={() => shell.openTab({ type: 'schedules', key: 'schedules', name: t('Crons') })}
    >
      <i className="pi pi-clock" aria-hidden="true" />
    </button>
  );
}
