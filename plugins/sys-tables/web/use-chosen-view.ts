import type { TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useHost, useShell, type OpenTab } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * The view that the address names, or else the table's default view. If the shown view is deleted, the person is told; the address
 * drops a view that does not exist.
 */
export function useChosenView(table: TableEntity, tab: OpenTab): ViewEntity | undefined {
  const { t, toast } = useHost();
  const shell = useShell();
  const [search] = useSearchParams();
  const named = search.get('view');
  const [namedAtFirst] = useState(named);
  const views = table.views ?? [];
  const found = views.find(({ id }) => id === named);
  const shown = found ?? views.find((view) => view.is_default) ?? views[0];

  const last = useRef<ViewEntity>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = shown;
    if (shown === undefined) return;
    const wasDeleted = before !== undefined && !views.some(({ id }) => id === before.id);
    if (wasDeleted)
      toast({
        severity: 'info',
        summary: t('The view “{{title}}” is not there any more.', { title: before.title }),
        detail: t('This is the view “{{title}}”.', { title: shown.title }),
        life: 8000,
      });
    // A view that appears in the address later may be new and not loaded yet.
    const isDead = named !== null && found === undefined && (wasDeleted || named === namedAtFirst);
    if (isDead && shell.activeTab?.view !== shown.id) shell.openTab({ ...tab, view: shown.id });
  });
  return shown;
}
