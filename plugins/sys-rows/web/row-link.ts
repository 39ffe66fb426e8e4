import { framedAddress, pageAddress, tabParams, useShell } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PanelRequests, RowRequest } from './panel-requests.ts';

/** The address parameter for the row. */
const rowParam = 'row';
/** The address parameter for the pane that is shown first. */
const paneParam = 'pane';

/** The project's page; visitors have another one than members. */
function pageOf({ id }: RowRequest['project']): string {
  const [open = ''] = pageAddress().split('?');
  return open.startsWith('/nc/') ? open : `/nc/${encodeURIComponent(id)}`;
}

/** The address that opens a row in its view. */
export function linkToRow({ project, table, view, rowKey = '' }: RowRequest): string {
  const tab = { type: 'table', key: table.id, name: table.title, view: view?.id };
  const query = new URLSearchParams({ ...tabParams(tab), [rowParam]: rowKey });
  const { origin, pathname } = location;
  return `${origin}${framedAddress() === undefined ? pathname : '/'}#${pageOf(project)}?${query.toString()}`;
}

/** Opens the row that the address names when its table is open. The parameter is then removed, because the panel may be closed. */
export function useRowInAddress(requests: PanelRequests): void {
  const { project, table, view } = useShell().context;
  const [params, setParams] = useSearchParams();
  const rowKey = params.get(rowParam);
  const pane = params.get(paneParam) ?? undefined;
  const viewId = params.get('view');
  const isThere =
    table !== undefined &&
    table.id === params.get('dbalias') &&
    (view?.id === viewId || table.views?.some(({ id }) => id === viewId) !== true);
  useEffect(() => {
    if (rowKey === null || project === undefined || table === undefined || !isThere) return;
    requests.open({ project, table, view, rowKey, isLinked: true, pane });
    setParams(
      (before) => {
        before.delete(rowParam);
        before.delete(paneParam);
        return before;
      },
      { replace: true },
    );
  }, [requests, rowKey, pane, project, table, view, isThere, setParams]);
}
