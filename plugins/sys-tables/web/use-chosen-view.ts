import type { TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { useHost, useShell, type OpenTab } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * The view that the address names, else the table's default one. Who looks at a view that is deleted is told, and the address forgets
 * a view that is not there.
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
    // One that came into the address later may have been made just now, and not be read yet.
    const isDead = named !== null && found === undefined && (wasDeleted || named === namedAtFirst);
    if (isDead && shell.activeTab?.view !== shown.id) shell.openTab({ ...tab, view: shown.id });
  });
  return shown;
}
