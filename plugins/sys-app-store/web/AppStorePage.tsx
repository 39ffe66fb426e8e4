import type { PluginEntity } from '@trellis/sdk/shared';
import { useServerData, useT } from '@trellis/sdk/web';
import { ErrorNotice, matchesSearch, Notice, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useDeferredValue, useState } from 'react';
import { PluginCard } from './PluginCard.tsx';
import { usePluginSwitch } from './use-plugin-switch.ts';
import { useRescan } from './use-rescan.ts';

interface Store {
  readonly list: readonly PluginEntity[];
  readonly locked: boolean;
  readonly safeMode: boolean;
}

function matches(plugin: PluginEntity, search: string): boolean {
  const text = [
    plugin.name,
    plugin.id,
    plugin.description,
    plugin.category,
    ...Object.values(plugin.contributes).flat(),
  ];
  return matchesSearch(text.join(' '), search.trim());
}

/** Troubled plugins first, then those that can be switched, then the ones that are always on. */
function rank(plugin: PluginEntity): number {
  if (plugin.reason !== undefined || plugin.errors.length > 0) return 0;
  return plugin.system ? 2 : 1;
}

export default function AppStorePage() {
  const t = useT();
  const { data, error, isLoading, refetch } = useServerData<Store>(
    { path: '/api/v1/app-store/plugins' },
    { tags: ['plugins'] },
  );
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  const { busy, enable, disable } = usePluginSwitch(data?.list ?? []);
  const { isRescanning, rescan } = useRescan();
  const shown = (data?.list ?? [])
    .filter((plugin) => matches(plugin, wanted))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));

  return (
    <main className="tr-page">
      <header className="tr-page-head">
        <div>
          <h1>{t('App store')}</h1>
          <p>
            {t(
              'Every feature is a plugin. Switch them while people work: nothing restarts and no data is lost.',
            )}
          </p>
        </div>
        <div className="store-tools">
          <SearchField label={t('Search plugins')} value={search} onChange={setSearch} />
          {data?.locked === false && (
            <button
              type="button"
              className="tr-button"
              aria-disabled={isRescanning}
              title={t('Looks for plugins that were copied to the server, without a restart')}
              onClick={() => isRescanning || void rescan()}
            >
              <i className={`pi pi-refresh${isRescanning ? ' pi-spin' : ''}`} aria-hidden="true" />
              {t('Look again')}
            </button>
          )}
        </div>
      </header>
      {data?.safeMode && (
        <Notice severity="warn">{t('Safe mode: only the plugins that are always on were started.')}</Notice>
      )}
      {data?.locked && (
        <Notice severity="warn">{t('The operator of this server has locked the plugins.')}</Notice>
      )}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton className="tr-cards" height={132} count={6} />}
      {data && shown.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search: wanted })}</p>
      )}
      <div className="tr-cards">
        {shown.map((plugin) => (
          <PluginCard
            key={plugin.id}
            plugin={plugin}
            isBusy={busy.has(plugin.id)}
            isLocked={data?.locked ?? false}
            onEnable={() => void enable(plugin)}
            onDisable={() => void disable(plugin)}
          />
        ))}
      </div>
    </main>
  );
}
