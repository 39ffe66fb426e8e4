import type { SettingsSchema } from '@trellis/core';
import { createWebRegistries, type WebPluginContext, type WebRegistries } from '@trellis/sdk/web';
import { halves, manifests } from './built-in-plugins.ts';

/** What the web halves of all built-in plugins register, so that a gallery misses none. */
export function registeredItems(): { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] } {
  const registries = createWebRegistries();
  const defined: string[] = [];
  for (const [file, half] of Object.entries(halves))
    void half.setup(contextOf(file.split('/')[2] ?? '', registries, defined));
  const ids = ['columnTypes', 'filterOperators', 'viewTypes'] as const;
  return Object.fromEntries([
    // What a plugin adds to another one's registry shows in no gallery, but is asked for.
    ...defined.map((id) => [id, []]),
    ...ids.map((id) => [id, registries.get(id).list()]),
  ]);
}

/** The plugins with settings, by their names. */
export const settingsSchemas: readonly (readonly [name: string, schema: SettingsSchema])[] = Object.values(
  manifests,
).flatMap(({ name, settings }) =>
  settings === undefined ? [] : [[name, settings as SettingsSchema] as const],
);

/** Can be called, and asked for anything, to no effect. */
const nothing: never = new Proxy(() => nothing, {
  get: (_, name) => (name === 'then' ? undefined : nothing),
}) as never;

/** Registers for good where it is the page's own registry; whatever else a plugin asks for does nothing. */
function contextOf(
  id: string,
  registries: ReturnType<typeof createWebRegistries>,
  defined: string[],
): WebPluginContext {
  const known: Partial<WebPluginContext> = {
    register: (registry, item) =>
      registries.ids().includes(registry) ? registries.get(registry).register(item, id) : nothing,
    registry: (registry) => registries.get(registry),
    registries: {
      define(name) {
        defined.push(name);
        return nothing;
      },
    },
    own: (item) => item,
    t: (text) => text,
    plugins: { isEnabled: () => true },
  };
  return new Proxy(known as WebPluginContext, {
    get: (target, name) => Reflect.get(target, name) ?? nothing,
  });
}
