import { createContext, Suspense, useContext, type ReactNode } from 'react';
import { ApiError } from './api.ts';
import type { UserStorage } from './context.ts';
import { useHost, useRegistry, useShell, type HostActions, type WebHost } from './host.tsx';
import type { ProjectEntity } from '../shared/index.ts';
import type { Offer, ShellContext } from './extensions/index.ts';
import { hasPermission } from './permissions.ts';
import type { WebRegistries } from './registries.ts';

/** The owner of what is being drawn: a plugin's id, or `host`. @internal */
export const OwnerContext = createContext('host');

/** Small values of the person for the plugin of the calling component. @public */
export function useUserStorage(): UserStorage {
  const owner = useContext(OwnerContext);
  return useHost().userStorageOf(owner);
}

/**
 * A component that draws a contribution and can stop doing so. The page stops the innermost one around a component that renders
 * endlessly. @internal
 */
export interface DrawnPart {
  stopDrawing(error: Error): void;
}

/** The props of a contribution. @public */
export interface ContributionProps {
  readonly registry: keyof WebRegistries;
  /** The item's id. */
  readonly id: string;
  /** Its name in the notice of an error: "tab Comments". Default: the id. */
  readonly what?: string;
  /** Shows an error as a small sign instead of a notice. */
  readonly compact?: boolean;
  /** Shown while the item's code is loading. Default: nothing. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Draws an item of a registry on behalf of the plugin that registered it. An error affects only this item, and an item that fails
 * repeatedly is suspended in this page.
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

/** A registry whose items decide when they are offered. @public */
export type ConditionalRegistry = {
  [Id in keyof WebRegistries]: WebRegistries[Id] extends { when?(context: never): boolean } ? Id : never;
}[keyof WebRegistries];

interface Conditional<Context> extends Offer<Context> {
  readonly id: string;
}

/** Items whose `when` threw: each is reported once, although it is called on every render. */
const unanswered = new WeakSet<object>();

/**
 * Whether an item is offered here: if the person has its permission, and its `when` returns true. If `when` throws, the item is not
 * offered and its plugin is charged.
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
      // After the render, since the receiver may render again.
      queueMicrotask(() => host.reportError({ registry, id: item.id }, `when() of ${item.id}`, error));
    }
    return false;
  }
}

/**
 * The currently offered items of a registry, in order; renders again when they change. `about` is the subject if it is not what is
 * open, such as the project of a card.
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
 * Runs a command, a menu item or a row action. An error is shown to the person; one that is no refusal of the server is also
 * reported with the plugin and charged to the item.
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
