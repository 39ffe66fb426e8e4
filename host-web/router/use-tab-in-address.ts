import { tabParams, useShell, type OpenTab } from '@trellis/sdk/web';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isSameTab } from '../store/tabs-slice.ts';

/**
 * Keeps the active tab and the address in agreement: the parameters `name`, `dbalias`, `type` and, if a view was chosen, `view`.
 *
 * `dbalias` contains the object's id, because titles are not unique across the bases of a project.
 *
 * @returns whether the address names a tab that is about to be opened, while none is open
 */
export function useTabInAddress(): boolean {
  const shell = useShell();
  const [params, setParams] = useSearchParams();
  const fromAddress = readTab(params);
  const addressKey = keyOf(fromAddress);
  const activeKey = keyOf(shell.activeTab);
  const followed = useRef<string | undefined>(undefined);

  useEffect(() => {
    const active = shell.activeTab;
    const addressChanged = followed.current !== addressKey;
    followed.current = addressKey;
    // After a link, a reload or the back button, the address decides. The tab's better or additional data is kept.
    if (addressChanged && fromAddress !== undefined) {
      const known = shell.tabs.find((tab) => isSameTab(tab, fromAddress));
      const wanted = { ...known, ...fromAddress, name: known?.name ?? fromAddress.name };
      if (keyOf(wanted) !== activeKey) {
        shell.openTab(wanted);
        return;
      }
    }
    if (activeKey === addressKey) return;
    followed.current = activeKey;
    const isNoStep = fromAddress === undefined || isSameTab(active, fromAddress);
    setParams(writeTab(params, active), { replace: isNoStep });
    // eslint-disable-next-line react/exhaustive-deps -- the keys stand for the objects that are new on each render
  }, [addressKey, activeKey]);
  return shell.activeTab === undefined && fromAddress !== undefined;
}

function keyOf(tab: OpenTab | undefined): string {
  return tab === undefined ? '' : JSON.stringify([tab.type, tab.key, tab.name, tab.view]);
}

function readTab(params: URLSearchParams): OpenTab | undefined {
  const type = params.get('type');
  const key = params.get('dbalias');
  const view = params.get('view');
  if (type === null || key === null) return undefined;
  return { type, key, name: params.get('name') ?? key, ...(view !== null && { view }) };
}

function writeTab(params: URLSearchParams, tab: OpenTab | undefined): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ['name', 'dbalias', 'type', 'view']) next.delete(name);
  if (tab !== undefined) for (const [name, value] of Object.entries(tabParams(tab))) next.set(name, value);
  return next;
}
