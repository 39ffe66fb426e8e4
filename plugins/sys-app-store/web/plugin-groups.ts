import type { PluginEntity } from '@trellis/sdk/shared';

/** What plugins are about, in the order in which people look for it; the labels are English. */
const categories = [
  { id: 'app', label: 'Features' },
  { id: 'column', label: 'Column types' },
  { id: 'view', label: 'View types' },
  { id: 'filter', label: 'Filters' },
  { id: 'email', label: 'E-mail' },
  { id: 'chat', label: 'Chat' },
  { id: 'storage', label: 'Storage' },
  { id: 'import', label: 'Import and export' },
  { id: 'integration', label: 'Connections' },
  { id: 'theme', label: 'Themes' },
  { id: 'system', label: 'System' },
] as const;

/** Of plugins whose category is none of those. */
const otherCategory = { id: 'other', label: 'Other' } as const;

/** What plugins are looked for by; the labels are English. `installed` are those that did not come with the product. */
export const states = [
  { value: 'all', label: 'All' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'installed', label: 'Installed' },
  { value: 'troubled', label: 'Problems' },
] as const;

export type StateChoice = (typeof states)[number]['value'];

/** Plugins of one category. */
export interface PluginGroup {
  readonly id: string;
  /** English. */
  readonly label: string;
  readonly plugins: readonly PluginEntity[];
}

/** Whether somebody should look at it: it does not do all that it should, or asks for something. */
export function isTroubled({ reason, errors, notices, state }: PluginEntity): boolean {
  if (state === 'missing' || state === 'degraded') return true;
  return reason !== undefined || errors.length > 0 || notices.length > 0;
}

export function hasState(plugin: PluginEntity, choice: StateChoice): boolean {
  if (choice === 'all') return true;
  if (choice === 'troubled') return isTroubled(plugin);
  if (choice === 'installed') return !plugin.builtIn;
  return (plugin.state === 'enabled' || plugin.state === 'degraded') === (choice === 'on');
}

/** The plugins by their categories, those of categories that we do not know behind the others. */
export function groupsOf(plugins: readonly PluginEntity[]): readonly PluginGroup[] {
  const known = new Set<string>(categories.map(({ id }) => id));
  const groupOf = ({ category }: PluginEntity) => (known.has(category) ? category : otherCategory.id);
  return [...categories, otherCategory].flatMap((category) => {
    const own = plugins.filter((plugin) => groupOf(plugin) === category.id);
    return own.length === 0 ? [] : [{ ...category, plugins: own }];
  });
}
