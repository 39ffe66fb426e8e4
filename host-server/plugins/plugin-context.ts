import {
  assertListedHook,
  createOwnExtensionPoints,
  freezeManifest,
  type Container,
  type Disposable,
  type HookRegistry,
  type PluginManifest,
  type PluginScope,
  type Registries,
  type Token,
} from '@trellis/core';
import {
  OutboundToken,
  type Logger,
  type Outbound,
  type ServerHooks,
  type ServerPluginContext,
  type ServerRegistries,
} from '@trellis/sdk/server';
import type { RouteTable } from '../http/route-table.ts';
import { validatorsOf } from '../http/validation.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { asPlugin } from '../runtime/current-plugin.ts';
import { createPluginDatabase, createPluginKeyValue } from './plugin-database.ts';
import { LimitedOutbound } from './limited-outbound.ts';
import { calledFrom } from './source-place.ts';
import type { PluginSettingsStore } from './plugin-settings.ts';

export interface PluginContextDependencies {
  readonly hooks: HookRegistry<ServerHooks>;
  readonly registries: Registries<ServerRegistries>;
  readonly container: Container;
  readonly routes: RouteTable;
  readonly metadata: Metadata;
  readonly settings: PluginSettingsStore;
  readonly loggerFor: (pluginId: string) => Logger;
  readonly isEnabled: (pluginId: string) => boolean;
  /** Whether a version is from before manifests listed hooks. */
  readonly tapsUnlisted: (manifest: PluginManifest) => boolean;
  /** Whether a plugin is part of the product. Such plugins are checked by tests instead. */
  readonly isBuiltIn: (pluginId: string) => boolean;
}

/** A path at the product's root must be listed in the manifest; other paths are below the plugin's own prefix. */
function assertListedPath(manifest: PluginManifest, path: string): void {
  if (!path.startsWith('/')) return;
  const listed = manifest.contributes?.routes ?? [];
  const isListed = listed.some(
    (of) =>
      path === of || path.startsWith(`${of.replace(/^[A-Z]+ /, '')}/`) || path === of.replace(/^[A-Z]+ /, ''),
  );
  if (!isListed) {
    throw new Error(
      `Plugin '${manifest.id}' serves '${path}', which its manifest does not list; add it to contributes.routes.`,
    );
  }
}

/** The interface of a plugin's server half. All effects go through the scope, which can undo them. */
export function createPluginContext(
  manifest: PluginManifest,
  scope: PluginScope,
  deps: PluginContextDependencies,
): ServerPluginContext {
  const { hooks, registries, container, routes, metadata } = deps;
  const { id } = manifest;

  function service<T>(token: Token<T>): T {
    const found = container.get(token);
    const isGate = Object.is(token, OutboundToken);
    // The token's own type is that of the gate.
    return isGate && !deps.isBuiltIn(id) ? (new LimitedOutbound(found as Outbound, manifest) as T) : found;
  }

  /** An effect that is refused at the end of the setup reports the author's line that asked for it. */
  function stage(effect: () => Disposable): Disposable {
    if (deps.isBuiltIn(id)) return scope.stage(effect);
    const caller = new Error('Staged here.');
    return scope.stage(() => calledFrom(caller, effect));
  }

  function assertListed(hook: string): void {
    if (!deps.tapsUnlisted(manifest)) assertListedHook(hooks, manifest, hook);
  }

  return {
    manifest: freezeManifest(manifest),
    logger: deps.loggerFor(id),
    signal: scope.signal as AbortSignal,
    settings: deps.settings.attach(manifest, scope),
    tap(hook, handler, options) {
      // Runs under the plugin's name, so that an unhandled rejection is attributed to the plugin.
      const inItsName = ((...input: unknown[]) =>
        asPlugin(id, () => (handler as (...of: unknown[]) => unknown)(...input))) as typeof handler;
      // Checked at once, so that the error has the author's line, and again later for a hook that is defined in the meantime.
      assertListed(hook);
      return stage(() => {
        assertListed(hook);
        return hooks.tap(id, hook, inItsName, options);
      });
    },
    register: (registry, item) => stage(() => registries.get(registry).register(item, id)),
    registry: (registry) => registries.get(registry),
    ...createOwnExtensionPoints(scope, deps),
    get: (token) => service(token),
    find: (token) => (container.has(token) ? service(token) : undefined),
    provide: (token, factory) => stage(() => container.bind(token, () => asPlugin(id, factory), id)),
    own(item) {
      scope.own(item);
      return item;
    },
    routes: (...added) =>
      stage(() => {
        const permissions = registries.get('permissions');
        for (const route of added) {
          for (const path of [route.path, ...(route.aliases ?? [])]) assertListedPath(manifest, path);
          const { permission } = route;
          if (typeof route.handle !== 'function')
            throw new Error(
              `${route.method} ${route.path} of plugin '${id}' has no 'handle'; write a function.`,
            );
          if (
            permission !== 'public' &&
            permission !== 'signedIn' &&
            permissions.get(permission) === undefined
          ) {
            throw new Error(
              `${route.method} ${route.path} of plugin '${id}' needs the permission '${permission}', which nobody registered.`,
            );
          }
          // A mistake in a schema refuses the plugin instead of its first request. Schemas of the product's own plugins are compiled in tests.
          if (!deps.isBuiltIn(id)) validatorsOf(route);
        }
        return routes.add(id, added);
      }),
    plugins: { isEnabled: deps.isEnabled },
    db: createPluginDatabase(id, metadata),
    kv: createPluginKeyValue(id, metadata),
  };
}
