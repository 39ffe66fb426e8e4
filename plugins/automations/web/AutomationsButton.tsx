import type { TableEntity } from '@trellis/sdk/shared';
import { useShell, useT, type OpenRequests, type ViewProps } from '@trellis/sdk/web';

/** Opens a project's automations from a table; a new one then starts with this table. */
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
