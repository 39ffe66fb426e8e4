import { createContext, Suspense, useContext, type ReactNode } from 'react';
import { ApiError } from './api.ts';
import type { UserStorage } from './context.ts';
import { useHost, useRegistry, useShell, type HostActions, type WebHost } from './host.tsx';
import type { ProjectEntity } from '../shared/index.ts';
import type { Offer, ShellContext } from './extensions/index.ts';
import { hasPermission } from './permissions.ts';
import type { WebRegistries } from './registries.ts';

/** Whose contribution is being drawn: a plugin's id, `host` outside of all plugins. @internal */
export const OwnerContext = createContext('host');

/** Small values of the person and of the plugin whose component asks. @public */
export function useUserStorage(): UserStorage {
  const owner = useContext(OwnerContext);
  return useHost().userStorageOf(owner);
}

/** A component that holds what somebody else draws and can stop drawing it. The page stops the innermost one around what draws without end. @internal */
export interface DrawnPart {
  stopDrawing(error: Error): void;
}

/** What is drawn in an item's name. @public */
export interface ContributionProps {
  readonly registry: keyof WebRegistries;
  /** The item's id. */
  readonly id: string;
  /** What is drawn, for the notice of an error: "tab Comments". Default: the id. */
  readonly what?: string;
  /** Shows an error as a small sign instead of a notice. */
  readonly compact?: boolean;
  /** Shown while the item's code is on its way. Default: nothing. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Draws an item of a registry in the name of the plugin that registered it. An error costs this item alone, and one that fails
 * again and again is taken out of service in this page.
 *
 * @public
 */
export function Contribution({ registry, id, what, compact, fallback, children }: ContributionProps) {
  const { Boundary } = useHost();
  return (
    <Boundary source={{ registry, id }} what={what ?? id} compact={compact}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

/** A registry whose items say when they are offered. @public */
export type ConditionalRegistry = {
  [Id in keyof WebRegistries]: WebRegistries[Id] extends { when?(context: never): boolean } ? Id : never;
}[keyof WebRegistries];

interface Conditional<Context> extends Offer<Context> {
  readonly id: string;
}

/** Items whose `when` threw: each is reported once, although it is asked on every render. */
const unanswered = new WeakSet<object>();

/**
 * Whether an item is offered here: to somebody who has its permission, where its `when` says yes. One whose `when` throws is not, and
 * its plugin is told of.
 * @public
 */
export function isOffered<Context extends { readonly project: ProjectEntity | undefined }>(
  host: Pick<WebHost, 'reportError' | 'session'>,
  registry: keyof WebRegistries,
  item: Conditional<Context>,
  context: Context,
): boolean {
  const { permission } = item;
  if (permission !== undefined && !hasPermission(permission, context.project, host.session.user))
    return false;
  try {
    return item.when?.(context) ?? true;
  } catch (error) {
    if (!unanswered.has(item)) {
      unanswered.add(item);
      // After the render: whoever hears of it may draw again.
      queueMicrotask(() => host.reportError({ registry, id: item.id }, `when() of ${item.id}`, error));
    }
    return false;
  }
}

/**
 * The items of a registry that want to be offered now, in order; drawn again when that changes. `about` is what they are offered
 * for where that is not what is open, such as the project of a card.
 *
 * @public
 */
export function useContributions<Id extends ConditionalRegistry>(
  registry: Id,
  filter: (item: WebRegistries[Id]) => boolean = () => true,
  about: Partial<ShellContext> = {},
): readonly WebRegistries[Id][] {
  const host = useHost();
  const items = useRegistry(registry);
  const { context } = useShell();
  const place = { ...context, ...about };
  return items.filter(
    (item) => filter(item) && isOffered(host, registry, item as Conditional<ShellContext>, place),
  );
}

interface Runnable<Context> {
  readonly id: string;
  readonly label: string;
  run(context: Context, actions: HostActions): void | Promise<void>;
}

/**
 * Runs a command, a menu item or a row action. A failure is shown to the person; one that is not a refusal of the server is
 * reported with the plugin and counts against the item.
 *
 * @public
 */
export async function runContribution<Context>(
  host: WebHost,
  registry: keyof WebRegistries,
  item: Runnable<Context>,
  context: Context,
): Promise<void> {
  const own = host.hostOf(host.registry(registry).ownerOf(item.id) ?? 'host');
  try {
    await item.run(context, own);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      host.reportError({ registry, id: item.id }, `run() of ${item.id}`, error);
    }
    const detail = error instanceof Error ? error.message : String(error);
    host.toast({ severity: 'error', summary: own.t(item.label), detail });
  }
}
