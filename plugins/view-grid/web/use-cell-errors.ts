import type { ColumnEntity } from '@trellis/sdk/shared';
import { useHost, useSession } from '@trellis/sdk/web';

/** Reports a cell that threw: to the host with the plugin that owns its type, and to the person. */
export function useCellErrors(columns: readonly ColumnEntity[]): (columnId: string, error: Error) => void {
  const host = useHost();
  const { t } = host;
  const session = useSession();
  return (columnId, error) => {
    const { title = columnId, uidt = columnId } = columns.find(({ id }) => id === columnId) ?? {};
    host.reportError({ registry: 'columnTypes', id: uidt }, `column ${title}`, error);
    // The host tells the administrator, with the plugin's name.
    if (session.superAdmin) return;
    host.toast({
      severity: 'warn',
      summary: t('The column “{{title}}” cannot be shown: {{reason}}', { title, reason: error.message }),
    });
  };
}
