import { sizeText, useServerData, useT } from '@trellis/sdk/web';
import { ErrorNotice, matchesSearch, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { IndexedPlugin, PluginIndexAnswer } from '../shared/index.ts';

/** What the index offers, to be searched and chosen from. */
export function IndexList({ onChoose }: { readonly onChoose: (plugin: IndexedPlugin) => void }) {
  const t = useT();
  const [search, setSearch] = useState('');
  const { data, error, isLoading, refetch } = useServerData<PluginIndexAnswer>(
    { path: '/api/v1/app-store/index' },
    { tags: ['plugins'] },
  );
  if (data !== undefined && data.address === undefined)
    return (
      <p className="tr-note">
        {t(
          'To choose from a list here, set the address of a plugin index in the settings of the App store below.',
        )}
      </p>
    );
  // Whether there is an index is known by its answer; a field to search none would come and go.
  if (isLoading) return <Skeleton height={48} count={3} />;
  const shown = (data?.list ?? []).filter((plugin) =>
    matchesSearch(`${plugin.name} ${plugin.id} ${plugin.description} ${plugin.author ?? ''}`, search.trim()),
  );
  return (
    <section className="store-index" aria-label={t('Plugin index')}>
      <SearchField label={t('Search the plugin index')} value={search} onChange={setSearch} />
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data && shown.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search })}</p>
      )}
      <ul>
        {shown.map((plugin) => (
          <li key={plugin.id}>
            <div>
              <b>{plugin.name}</b> <span className="tr-note">{factsOf(plugin).join(' · ')}</span>
              <p>{plugin.description}</p>
            </div>
            {plugin.installed === undefined || plugin.isUpdate ? (
              <button
                type="button"
                className="tr-button"
                aria-label={
                  plugin.isUpdate
                    ? t('Update {{name}} to {{version}}', { name: plugin.name, version: plugin.version })
                    : t('Install {{name}} {{version}}', { name: plugin.name, version: plugin.version })
                }
                onClick={() => onChoose(plugin)}
              >
                {plugin.isUpdate ? t('Update') : t('Install')}
              </button>
            ) : (
              <span className="store-badge">{t('Installed')}</span>
            )}
          </li>
        ))}
      </ul>
      {data !== undefined && data.passedOver > 0 && (
        <p className="tr-note">
          {t('{{count}} entries of the index are for other versions of the product, or cannot be read.', {
            count: data.passedOver,
            one: '{{count}} entry of the index is for another version of the product, or cannot be read.',
          })}
        </p>
      )}
    </section>
  );
}

function factsOf({ version, author, bytes }: IndexedPlugin): readonly string[] {
  return [version, author, bytes === undefined ? undefined : sizeText(bytes)].filter(
    (fact) => fact !== undefined,
  );
}
