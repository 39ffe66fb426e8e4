import type { TableEntity } from '@trellis/sdk/shared';
import { useShell, useT, type OpenRequests, type ViewProps } from '@trellis/sdk/web';

/** The way from a table to the automations of its project: a new one is about the table that somebody comes from. */
export function createAutomationsButton(cameFrom: OpenRequests<TableEntity>) {
  return function AutomationsButton({ table }: ViewProps) {
    const t = useT();
    const shell = useShell();
    return (
      <button
        type="button"
        className="tr-tool"
        title={t('Have things done by themselves when rows change')}
        onClick={() => {
          cameFrom.open(table);
          shell.openTab({ type: 'automations', key: 'automations', name: t('Automations') });
        }}
      >
        <i className="pi pi-bolt" aria-hidden="true" />
        <span>{t('Automations')}</span>
      </button>
    );
  };
}
