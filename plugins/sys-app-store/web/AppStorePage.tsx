import type { PluginEntity } from '@trellis/sdk/shared';
import { useHost, useServerData, useT } from '@trellis/sdk/web';
import { useDeferredValue, useEffect, useState } from 'react';
import { PluginCard } from './PluginCard.tsx';
import { usePluginSwitch } from './use-plugin-switch.ts';

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
  return text.some((part) => part.toLowerCase().includes(search.trim().toLowerCase()));
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
  const { live, invalidate } = useHost();
  // Somebody else switches plugins, and after a start the slow ones come later.
  useEffect(() => {
    const subscription = live.onEvent(({ kind }) => {
      if (kind === 'plugins') invalidate(['plugins']);
    });
    return () => subscription.dispose();
  }, [live, invalidate]);
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  const { busy, enable, disable } = usePluginSwitch(data?.list ?? []);
  const shown = (data?.list ?? [])
    .filter((plugin) => matches(plugin, wanted))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));

  return (
    <main className="store">
      <header className="store-head">
        <div>
          <h1>{t('App store')}</h1>
          <p>
            {t(
              'Every feature is a plugin. Switch them while people work: nothing restarts and no data is lost.',
            )}
          </p>
        </div>
        <label className="store-search">
          <i className="pi pi-search" aria-hidden="true" />
          <input
            type="search"
            value={search}
            placeholder={t('Search plugins')}
            aria-label={t('Search plugins')}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
      </header>
      {data?.safeMode && (
        <p className="store-notice" role="status">
          {t('Safe mode: only the plugins that are always on were started.')}
        </p>
      )}
      {data?.locked && (
        <p className="store-notice" role="status">
          {t('The operator of this server has locked the plugins.')}
        </p>
      )}
      {error && (
        <div className="store-empty" role="alert">
          <p>{error.message}</p>
          <button type="button" className="p-button p-component p-button-outlined" onClick={refetch}>
            {t('Try again')}
          </button>
        </div>
      )}
      {isLoading && (
        <div className="store-grid" aria-busy="true">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <div key={key} className="store-card store-card--skeleton" />
          ))}
        </div>
      )}
      {data && shown.length === 0 && (
        <p className="store-empty">{t('your search for {{search}} found no results', { search: wanted })}</p>
      )}
      <div className="store-grid">
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
