import type { PluginEntity } from '@trellis/sdk/shared';
import { Contribution, useContributions, useWordsOf } from '@trellis/sdk/web';
import { pageLanguage, Switch } from '@trellis/sdk/web/ui';
import { lazy, Suspense, useId, useState } from 'react';
import { HeldMemoryNote } from './HeldMemoryNote.tsx';
import { VersionChoice } from './VersionChoice.tsx';
import { PluginTrouble } from './PluginTrouble.tsx';

const PluginSettings = lazy(() => import('./PluginSettings.tsx'));
const RestoreDialog = lazy(() => import('./RestoreDialog.tsx'));

const icons: Readonly<Record<string, string>> = {
  system: 'shield',
  column: 'table',
  view: 'th-large',
  filter: 'filter',
  storage: 'database',
  theme: 'palette',
  email: 'envelope',
  chat: 'comments',
  import: 'file-import',
  integration: 'link',
  app: 'box',
};

/** What people meet; permissions, routes and jobs are for operators. */
const shownRegistries: ReadonlySet<string> = new Set([
  'columnTypes',
  'viewTypes',
  'filterOperators',
  'themes',
  'locales',
]);

/** Names that a card has room for; the rest is counted. */
const shownAtMost = 6;

/** One plugin: what it is, whether it is on, and what went wrong. */
export function PluginCard(props: {
  readonly plugin: PluginEntity;
  /** What it holds in the server's memory; undefined until it is measured, and where nobody measures. */
  readonly heldBytes?: number | undefined;
  readonly isBusy: boolean;
  readonly isLocked: boolean;
  readonly onEnable: () => void;
  /** Switches it on with the settings that it has, and says whether it is on then. */
  readonly onSwitchOn: () => Promise<boolean>;
  readonly onDisable: () => void;
  readonly onRemove: () => void;
}) {
  const { plugin, isBusy } = props;
  const t = useWordsOf()(plugin);
  const id = useId();
  const [isSettingUp, setIsSettingUp] = useState(false);
  const [isRestoring, setIsRestoring] = useState(false);
  const isOn = plugin.state === 'enabled' || plugin.state === 'degraded';
  const cannotSwitch =
    plugin.system || props.isLocked || plugin.state === 'incompatible' || plugin.state === 'missing';
  const contributions = Object.entries(plugin.labels).flatMap(([registry, labels]) =>
    shownRegistries.has(registry) ? Object.entries(labels).map(([of, label]) => [of, t(label)] as const) : [],
  );
  const permissions = Object.values(plugin.labels['permissions'] ?? {}).map((label) => t(label));

  const moment = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'medium' });
  const panels = useContributions('pluginPanels', ({ shows }) => shows?.(plugin) ?? true);

  return (
    <article className="store-card" data-state={plugin.state} aria-labelledby={id}>
      <header>
        <span className="tr-icon-tile" aria-hidden="true">
          <i className={`pi pi-${icons[plugin.category] ?? 'box'}`} />
        </span>
        <div className="store-title">
          <h3 id={id}>{t(plugin.name)}</h3>
          <span className="tr-note">
            {[plugin.id, plugin.version].filter((text) => text !== '').join(' · ')}
          </span>
        </div>
        {plugin.system ? (
          <span className="store-badge">{t('Always on')}</span>
        ) : (
          <Switch
            checked={isOn}
            label={
              isOn
                ? t('Switch {{name}} off', { name: t(plugin.name) })
                : t('Switch {{name}} on', { name: t(plugin.name) })
            }
            disabled={cannotSwitch}
            isBusy={isBusy || plugin.state === 'starting'}
            onChange={(on) => (on ? props.onEnable() : props.onDisable())}
          />
        )}
      </header>
      <p className="store-description">{t(plugin.description ?? '')}</p>
      {plugin.state === 'starting' && (
        <p className="tr-note" role="status">
          {t('Starting')}…
        </p>
      )}
      <PluginTrouble plugin={plugin} isBusy={isBusy} isLocked={props.isLocked} onEnable={props.onEnable} />
      {contributions.length > 0 && (
        <ul className="store-tags" aria-label={t('What it adds')}>
          {contributions.slice(0, shownAtMost).map(([of, label]) => (
            <li key={of}>{label}</li>
          ))}
          {contributions.length > shownAtMost && (
            <li title={contributions.map(([, label]) => label).join(', ')}>
              {t('and {{count}} more', {
                count: contributions.length - shownAtMost,
                one: 'and {{count}} more',
              })}
            </li>
          )}
        </ul>
      )}
      {permissions.length > 0 && (
        <p className="tr-note">{t('Rights that it brings: {{list}}', { list: permissions.join(', ') })}</p>
      )}
      {plugin.work !== undefined && (
        <p className="tr-note">
          {t(
            '{{count}} calls since the start; an answer takes {{average}} ms, and took {{longest}} ms at most.',
            {
              count: plugin.work.calls,
              average: Math.round(plugin.work.milliseconds / plugin.work.calls),
              longest: Math.round(plugin.work.longest),
              one: '{{count}} call since the start; an answer takes {{average}} ms, and took {{longest}} ms at most.',
            },
          )}
        </p>
      )}
      <HeldMemoryNote plugin={plugin} bytes={props.heldBytes} />
      {panels.map(({ id: panel, Component }) => (
        <Contribution key={panel} registry="pluginPanels" id={panel}>
          <Component plugin={plugin} />
        </Contribution>
      ))}
      <div className="store-actions">
        {plugin.hasSettings && (
          <button
            type="button"
            className="tr-button"
            aria-label={t('Settings of {{name}}', { name: t(plugin.name) })}
            onClick={() => setIsSettingUp(true)}
          >
            <i className="pi pi-cog" aria-hidden="true" />
            {t('Settings')}
          </button>
        )}
        <VersionChoice plugin={plugin} isLocked={props.isLocked} />
        {!plugin.builtIn && !props.isLocked && plugin.state !== 'missing' && (
          <button
            type="button"
            className="tr-link"
            aria-label={t('Put data back: {{name}}', { name: t(plugin.name) })}
            onClick={() => setIsRestoring(true)}
          >
            {t('Put data back')}
          </button>
        )}
        {!plugin.builtIn && !props.isLocked && (
          <button
            type="button"
            className="tr-link"
            aria-label={t('Remove {{name}}', { name: t(plugin.name) })}
            onClick={props.onRemove}
          >
            {t('Remove')}
          </button>
        )}
      </div>
      {isRestoring && (
        <Suspense>
          <RestoreDialog plugin={plugin} onClose={() => setIsRestoring(false)} />
        </Suspense>
      )}
      {isSettingUp && (
        <Suspense>
          <PluginSettings
            plugin={plugin}
            onClose={() => setIsSettingUp(false)}
            onSwitchOn={isOn || cannotSwitch ? undefined : props.onSwitchOn}
          />
        </Suspense>
      )}
      {plugin.errors.length > 0 && (
        <details className="store-errors">
          <summary>
            {t('{{count}} errors since the start', {
              count: plugin.errors.length,
              one: '{{count}} error since the start',
            })}
          </summary>
          <ul>
            {plugin.errors.slice(0, 20).map((error) => (
              <li key={`${error.at}${error.where}${error.message}`}>
                <time dateTime={error.at}>{moment.format(new Date(error.at))}</time> <b>{error.where}</b>{' '}
                {error.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
