import type { PluginEntity } from '@trellis/sdk/shared';
import { useHost, useServerData, useWordsOf, type Translate } from '@trellis/sdk/web';
import { ErrorNotice, matchesSearch, Notice, SearchField, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { HeldMemoryAnswer, OfferedProposal, ServerMemory } from '../shared/index.ts';
import { MemoryNote } from './MemoryNote.tsx';
import { PluginCard } from './PluginCard.tsx';
import { groupsOf, hasState, isTroubled, type StateChoice } from './plugin-groups.ts';
import { toastSubject, useNameOf } from './plugin-words.ts';
import { StoreFilters } from './StoreFilters.tsx';
import { StoreTasks } from './StoreTasks.tsx';
import { usePluginSwitch } from './use-plugin-switch.ts';
import { useRescan } from './use-rescan.ts';

const InstallDialog = lazy(() => import('./InstallDialog.tsx'));
const PluginSettings = lazy(() => import('./PluginSettings.tsx'));

const RemovalDialog = lazy(() => import('./RemovalDialog.tsx'));

interface Store {
  readonly list: readonly PluginEntity[];
  readonly locked: boolean;
  readonly safeMode: boolean;
  readonly memory?: ServerMemory;
}

function matches(plugin: PluginEntity, search: string, t: Translate): boolean {
  const text = [
    t(plugin.name),
    t(plugin.description ?? ''),
    plugin.name,
    plugin.id,
    plugin.description,
    plugin.category,
    ...Object.values(plugin.contributes).flat(),
    ...Object.values(plugin.labels).flatMap((labels) => Object.values(labels)),
  ];
  return matchesSearch(text.join(' '), search.trim());
}

function nothingText(list: readonly PluginEntity[], state: StateChoice): string {
  return state === 'installed' && !list.some((plugin) => hasState(plugin, state))
    ? 'Nothing is installed besides what came with the product.'
    : 'No plugin is like that.';
}

/** Troubled plugins first, then those that can be switched, then the ones that are always on. */
function rank(plugin: PluginEntity): number {
  if (isTroubled(plugin)) return 0;
  return plugin.system ? 2 : 1;
}

export default function AppStorePage() {
  const inWordsOf = useWordsOf();
  const nameOf = useNameOf();
  const { t, toast } = useHost();
  const { data, error, isLoading, refetch } = useServerData<Store>(
    { path: '/api/v1/app-store/plugins' },
    { tags: ['plugins'] },
  );
  const { data: measured } = useServerData<HeldMemoryAnswer>({ path: '/api/v1/app-store/memory' });
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  // Other pages lead to a category, and to the settings of a plugin: `/app-store?settings=sys-mail`.
  const [asked, setAsked] = useSearchParams();
  const category = asked.get('category') ?? '';
  const [state, setState] = useState<StateChoice>('all');
  /** Switched since the state was chosen: they stay in sight, with the focus of whoever switches them. */
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set());
  const { busy, enable, disable } = usePluginSwitch(data?.list ?? []);
  const { isRescanning, rescan } = useRescan();
  const [removing, setRemoving] = useState<PluginEntity>();
  const [isInstalling, setIsInstalling] = useState(false);
  /** The plugin whose settings are asked for before it is switched on. */
  const [settingUp, setSettingUp] = useState<PluginEntity>();

  function askFor(of: Readonly<Record<string, string>>): void {
    setAsked(of, { replace: true });
  }

  function keepInSight({ id }: PluginEntity): void {
    setSwitched((before) => new Set(before).add(id));
  }

  function switchOn(plugin: PluginEntity): void {
    keepInSight(plugin);
    if (plugin.missingSettings.length > 0) setSettingUp(plugin);
    else void enable(plugin);
  }

  function switchOff(plugin: PluginEntity): void {
    keepInSight(plugin);
    void disable(plugin);
  }

  function showThose(of: StateChoice): void {
    setState(of);
    setSwitched(new Set());
  }

  function installed(plugin: PluginEntity, { current, name }: OfferedProposal): void {
    setIsInstalling(false);
    const { version } = plugin;
    if (current !== undefined) {
      const summary = t('{{name}} is now {{version}}', { name, version });
      toast({ severity: 'success', summary, subject: toastSubject(plugin.id) });
      return;
    }
    toast({
      severity: 'success',
      summary: t('{{name}} is installed', { name }),
      detail: t('It is off until you switch it on.'),
      life: 12_000,
      subject: toastSubject(plugin.id),
      action: { label: t('Switch on'), run: () => switchOn(plugin) },
    });
  }

  const shown = (data?.list ?? [])
    .filter((plugin) => switched.has(plugin.id) || hasState(plugin, state))
    .filter((plugin) => matches(plugin, wanted, inWordsOf(plugin)))
    .toSorted((a, b) => rank(a) - rank(b) || nameOf(a).localeCompare(nameOf(b)));

  const wantsSettings = data?.list.find(({ id, hasSettings }) => hasSettings && id === asked.get('settings'));
  const inSight = groupsOf(shown).filter(({ id }) => category === '' || id === category);

  return (
    <section className="tr-page store-page">
      <PageHead
        title={t('App store')}
        about={t(
          'Every feature is a plugin. Switch them while people work: nothing restarts and no data is lost.',
        )}
      >
        <div className="store-tools">
          <SearchField label={t('Search plugins')} value={search} onChange={setSearch} />
          {data?.locked === false && (
            <button
              type="button"
              className="tr-button tr-button--primary"
              onClick={() => setIsInstalling(true)}
            >
              <i className="pi pi-plus" aria-hidden="true" />
              {t('Install')}
            </button>
          )}
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
      </PageHead>
      {data?.safeMode && (
        <Notice severity="warn">{t('Safe mode: only the plugins that are always on were started.')}</Notice>
      )}
      {data?.locked && (
        <Notice severity="warn">{t('The operator of this server has locked the plugins.')}</Notice>
      )}
      <StoreTasks />
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton className="tr-cards" height={132} count={6} />}
      {isInstalling && (
        <Suspense>
          <InstallDialog onClose={() => setIsInstalling(false)} onInstalled={installed} />
        </Suspense>
      )}
      {removing !== undefined && (
        <Suspense>
          <RemovalDialog
            plugin={removing}
            plugins={data?.list ?? []}
            onClose={() => setRemoving(undefined)}
          />
        </Suspense>
      )}
      {settingUp !== undefined && (
        <Suspense>
          <PluginSettings
            plugin={settingUp}
            onClose={() => setSettingUp(undefined)}
            onSwitchOn={() => enable(settingUp)}
          />
        </Suspense>
      )}
      {wantsSettings !== undefined && (
        <Suspense>
          <PluginSettings
            plugin={wantsSettings}
            onClose={() => askFor(category === '' ? {} : { category })}
          />
        </Suspense>
      )}
      {data && (
        <StoreFilters
          groups={groupsOf(data.list)}
          category={category}
          state={state}
          onCategory={(id) => askFor(id === '' ? {} : { category: id })}
          onState={showThose}
        />
      )}
      {data && inSight.length === 0 && <p className="tr-nothing">{t(nothingText(data.list, state))}</p>}
      {inSight.map(({ id, label, plugins }) => (
        <section key={id} className="store-group" aria-label={t(label)}>
          <h2>
            {t(label)} <span className="tr-note">{plugins.length}</span>
          </h2>
          <div className="tr-cards">
            {plugins.map((plugin) => (
              <PluginCard
                key={plugin.id}
                plugin={plugin}
                heldBytes={measured?.held && (measured.held.bytes[plugin.id] ?? 0)}
                isBusy={busy.has(plugin.id)}
                isLocked={data?.locked ?? false}
                onEnable={() => switchOn(plugin)}
                onSwitchOn={() => {
                  keepInSight(plugin);
                  return enable(plugin);
                }}
                onDisable={() => switchOff(plugin)}
                onRemove={() => setRemoving(plugin)}
              />
            ))}
          </div>
        </section>
      ))}
      {data?.memory && <MemoryNote memory={data.memory} isMeasured={measured?.held !== undefined} />}
    </section>
  );
}
