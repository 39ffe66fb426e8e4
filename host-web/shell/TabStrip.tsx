import { useRegistry, useShell, useT, type OpenTab } from '@trellis/sdk/web';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { isSameTab } from '../store/tabs-slice.ts';

/** The tabs of the open project: a click shows one, the middle button or the cross closes it. */
export function TabStrip() {
  const t = useT();
  const shell = useShell();
  const kinds = useRegistry('dashboardTabs');
  const strip = useRef<HTMLDivElement>(null);
  const { tabs, activeTab } = shell;
  const activeId = activeTab === undefined ? undefined : tabId(activeTab);
  useEffect(() => {
    if (activeId === undefined) return;
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeId]);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => isSameTab(tab, activeTab));
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = step === 0 ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next !== undefined) {
      event.preventDefault();
      shell.openTab(next);
      document.getElementById(tabId(next))?.focus();
    } else if (event.key === 'Delete' && activeTab !== undefined) {
      shell.closeTab(activeTab);
    }
  }

  if (tabs.length === 0) return undefined;
  return (
    <div className="tr-tabs" role="tablist" aria-label={t('Open tabs')} ref={strip} onKeyDown={onKeyDown}>
      {tabs.map((tab) => {
        const active = isSameTab(tab, activeTab);
        const icon = kinds.find(({ id }) => id === tab.type)?.icon ?? 'file';
        return (
          <div key={tabId(tab)} className={active ? 'tr-tab tr-tab--active' : 'tr-tab'} role="presentation">
            <button
              type="button"
              id={tabId(tab)}
              role="tab"
              aria-selected={active}
              aria-keyshortcuts="Delete"
              tabIndex={active ? 0 : -1}
              className="tr-tab-label"
              title={tab.name}
              onClick={() => shell.openTab(tab)}
              onAuxClick={(event) => event.button === 1 && shell.closeTab(tab)}
            >
              <i className={`pi pi-${icon}`} aria-hidden="true" />
              <span>{tab.name}</span>
            </button>
            {/* For the mouse alone: a list of tabs may hold nothing but tabs, and Delete closes one by keyboard. */}
            <button
              type="button"
              tabIndex={-1}
              aria-hidden="true"
              className="tr-tab-close"
              title={t('Close {{name}}', { name: tab.name })}
              onClick={() => shell.closeTab(tab)}
            >
              <i className="pi pi-times" aria-hidden="true" />
            </button>
          </div>
        );
      })}
    </div>
  );
}

function tabId({ type, key }: OpenTab): string {
  return `tr-tab-${type}-${key}`;
}
