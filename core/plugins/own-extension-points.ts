import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { HookArguments, HookDefinition, HookOutcome, HookSpec } from '../hooks/hook-types.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import type { Registries } from '../registry/registries.ts';
import { Registry, type RegistryOptions } from '../registry/registry.ts';
import type { PluginScope } from './plugin-scope.ts';

type Items<R> = { [K in keyof R]: { readonly id: string } };
type Specs<H> = { [K in keyof H]: HookSpec };

/** A plugin's own registries, for plugins that depend on it. Their items are typed by declaration merging. @public */
export interface OwnRegistries<R extends Items<R>> {
  /** Makes a registry, which is removed when the plugin is disabled. @throws Error when its id is taken. */
  define<Id extends keyof R & string>(id: Id, options: Omit<RegistryOptions<R[Id]>, 'id'>): Disposable;
}

/** A plugin's own hooks, for plugins that depend on it. Their specs are typed by declaration merging. @public */
export interface OwnHooks<H extends Specs<H>> {
  /** Makes a hook, which is removed when the plugin is disabled. @throws Error when its id is taken. */
  define<Id extends keyof H & string>(
    id: Id,
    definition: Omit<HookDefinition<H[Id]['kind']>, 'id'>,
  ): Disposable;
  /**
   * Calls a hook that this plugin defined. For a did hook, waits for its handlers no longer than one may delay an operation.
   *
   * @throws Error for any other hook; otherwise according to the hook's policy.
   */
  call<Id extends keyof H & string>(id: Id, ...args: HookArguments<H[Id]>): Promise<HookOutcome<H[Id]>>;
}

/** The extension points that one plugin may add to its host. The plugin's scope removes them. */
export function createOwnExtensionPoints<R extends Items<R>, H extends Specs<H>>(
  scope: PluginScope,
  host: { readonly registries: Registries<R>; readonly hooks: HookRegistry<H> },
): { readonly registries: OwnRegistries<R>; readonly hooks: OwnHooks<H> } {
  const defined = new Set<string>();
  return {
    registries: {
      define: (id, options) =>
        scope.stage(() => {
          const made = new Registry({ ...options, id });
          return host.registries.define(made as never); // The registry only gets items of its own id.
        }),
    },
    hooks: {
      define: (id, definition) =>
        scope.stage(() => {
          const made = host.hooks.define(id, definition);
          defined.add(id);
          return toDisposable(() => {
            defined.delete(id);
            return made.dispose();
          });
        }),
      async call(id, ...args) {
        if (!defined.has(id)) {
          throw new Error(
            `Plugin '${scope.pluginId}' cannot call the hook '${id}', because it did not define it.`,
          );
        }
        if (host.hooks.kindOf(id) !== 'did') return host.hooks.call(id, ...args);
        await host.hooks.tell(id, ...args);
        return undefined as never; // The result of a did hook.
      },
    },
  };
}
