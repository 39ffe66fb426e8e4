import { type PluginManifest, type SettingsSchema } from '@trellis/core';
import {
  createWebRegistries,
  type WebPlugin,
  type WebPluginContext,
  type WebRegistries,
} from '@trellis/sdk/web';

declare global {
  interface ImportMeta {
    /** Of Vite, which builds the stories. */
    glob<Module>(
      pattern: string,
      options: { readonly eager: true; readonly import: 'default' },
    ): Readonly<Record<string, Module>>;
  }
}

const halves = import.meta.glob<WebPlugin>('../plugins/*/web/index.tsx', { eager: true, import: 'default' });
const manifests = import.meta.glob<PluginManifest>('../plugins/*/plugin.json', {
  eager: true,
  import: 'default',
});

/** What the web halves of all built-in plugins register, so that a gallery misses none. */
export function registeredItems(): { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] } {
  const registries = createWebRegistries();
  for (const [file, half] of Object.entries(halves))
    void half.setup(contextOf(file.split('/')[2] ?? '', registries));
  const ids = ['columnTypes', 'filterOperators', 'viewTypes'] as const;
  return Object.fromEntries(ids.map((id) => [id, registries.get(id).list()]));
}

/** The plugins with settings, by their names. */
export const settingsSchemas: readonly (readonly [name: string, schema: SettingsSchema])[] = Object.values(
  manifests,
).flatMap(({ name, settings }) =>
  settings === undefined ? [] : [[name, settings as SettingsSchema] as const],
);

/** Registers for good; whatever else a plugin asks for does nothing. */
function contextOf(id: string, registries: ReturnType<typeof createWebRegistries>): WebPluginContext {
  const nothing = () => ({ dispose: () => undefined });
  const known: Partial<WebPluginContext> = {
    register: (registry, item) => registries.get(registry).register(item, id),
    registry: (registry) => registries.get(registry),
    own: (item) => item,
    t: (text) => text,
    plugins: { isEnabled: () => true },
  };
  return new Proxy(known as WebPluginContext, {
    get: (target, name) => Reflect.get(target, name) ?? nothing,
  });
}
