import { Container } from '../container/container.ts';
import { ErrorBudget } from '../errors/error-budget.ts';
import type { TrellisError } from '../errors/trellis-error.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { DidSpec } from '../hooks/hook-types.ts';
import { systemClock } from '../lifecycle/clock.ts';
import { ManualClock } from '../lifecycle/manual-clock.ts';
import { Registry } from '../registry/registry.ts';
import type { KnownPlugin, PluginHost, PluginModule } from './plugin-host.ts';
import { PluginManager } from './plugin-manager.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import type { PluginScope } from './plugin-scope.ts';

/* What the tests of the plugin manager share. */

type Catalogue = { 'row.didChange': DidSpec<number> };
export interface Context {
  readonly id: string;
  readonly scope: PluginScope;
  tap(handler: (input: number) => void): void;
  register(id: string): void;
}
export type Module = PluginModule<Context>;
export type Overrides = Partial<PluginHost<Context>>;

export const quiet: Module = { setup: () => undefined };

/** A plugin as a host finds it. */
export function plugin(
  id: string,
  links: Partial<PluginManifest> = {},
  known: Partial<KnownPlugin> = {},
): KnownPlugin {
  const manifest: PluginManifest = {
    id,
    name: id,
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '^1.0.0' },
    sdk: 1,
    ...links,
  };
  return { id, origin: 'built-in', manifest, ...known };
}

/** Dependencies on version 1 of others. */
export const needs = (...ids: string[]) => ({
  dependencies: Object.fromEntries(ids.map((id) => [id, '^1.0.0'])),
});

/** A small but whole host: hooks, a registry and a container that plugins add to through their context. */
export function createHost(modules: Record<string, Module> = {}, overrides: Overrides = {}) {
  const clock = new ManualClock();
  const budget = new ErrorBudget({ clock });
  const steps: string[] = [];
  const errors: string[] = [];
  const persisted = new Map<string, string>();
  const hooks = new HookRegistry<Catalogue>({ onContained: () => undefined, budget });
  hooks.define('row.didChange', { kind: 'did', policy: 'contain', description: 'test' });
  const items = new Registry<{ id: string }>({ id: 'items', absentPolicy: 'none' });
  const container = new Container();
  let published: readonly string[] = [];
  const host: PluginHost<Context> = {
    version: '1.0.0',
    clock,
    load: async (manifest) => modules[manifest.id] ?? quiet,
    createContext: ({ id }, scope) => ({
      id,
      scope,
      tap: (handler) => void scope.stage(() => hooks.tap(id, 'row.didChange', handler)),
      register: (item) => void scope.stage(() => items.register({ id: item }, id)),
    }),
    willEnable: ({ id }) => void steps.push(`willEnable ${id}`),
    didEnable: ({ id }) => void steps.push(`didEnable ${id}`),
    willDisable: ({ id }) => void steps.push(`willDisable ${id}`),
    didDisable: ({ id }) => void steps.push(`didDisable ${id}`),
    publish: () => {
      published = items.list().map((item) => item.id);
    },
    persist: (id, state) => void persisted.set(id, state),
    onError: (error, id, step) =>
      errors.push(`${id} ${step}: ${error instanceof Error ? error.message : 'unknown'}`),
    ...overrides,
  };
  const manager = new PluginManager(host, { budget });
  const counts = () => ({ taps: hooks.size, items: items.size, bindings: container.size });
  return {
    manager,
    clock,
    steps,
    errors,
    persisted,
    hooks,
    items,
    container,
    counts,
    published: () => published,
  };
}

/** The error that an operation was refused with. */
export async function refusal(work: Promise<unknown>): Promise<TrellisError> {
  return work.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => error as TrellisError,
  );
}

/** Lets everything run that only waits for resolved promises. */
export const settle = () => new Promise<void>((resolve) => void systemClock.after(0, resolve));
