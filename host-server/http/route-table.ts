import { toDisposable, type Disposable } from '@trellis/core';
import type { RouteDefinition } from '@trellis/sdk/server';
import { PathTree } from './path-tree.ts';

/** A route at one of its paths, and the plugin that owns it. */
export interface RouteEntry {
  readonly owner: string;
  /** The whole path. */
  readonly path: string;
  readonly route: RouteDefinition;
}

export type RouteMatch =
  | { readonly kind: 'route'; readonly entry: RouteEntry; readonly params: Record<string, string> }
  /** A product path of a plugin that is switched off. */
  | { readonly kind: 'disabled'; readonly plugin: string };

/** Paths that stay known when their plugin is off. */
export interface ListedPaths {
  readonly plugin: string;
  readonly prefixes: readonly string[];
}

/** Of a plugin in JavaScript it may be any text. */
const methods: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] satisfies RouteDefinition['method'][];

interface Table {
  find(method: string, path: string): RouteMatch | undefined;
}

/**
 * All routes. What the dispatcher reads is immutable: every change builds a new table and swaps it in one assignment, so that a
 * request never sees half of a plugin.
 */
export class RouteTable {
  readonly #entries = new Map<string, RouteEntry>();
  #listed: readonly ListedPaths[] = [];
  #table: Table | undefined;

  /** @throws Error naming both owners when a method and path is taken, and for a method that no route has. */
  add(owner: string, routes: readonly RouteDefinition[]): Disposable {
    const added: string[] = [];
    const remove = () => {
      for (const key of added) this.#entries.delete(key);
      this.#table = undefined;
    };
    try {
      for (const route of routes) {
        if (!methods.includes(route.method))
          throw new Error(
            `The method '${route.method}' of ${route.path} cannot be served; there are ${methods.join(', ')}.`,
          );
        for (const entry of this.#expand(owner, route)) {
          const key = keyOf(route.method, entry.path);
          const known = this.#entries.get(key);
          if (known) {
            throw new Error(
              `'${owner}' and '${known.owner}' both serve ${key}; one of them must take another path.`,
            );
          }
          this.#entries.set(key, entry);
          added.push(key);
        }
      }
    } catch (error) {
      remove();
      throw error;
    }
    this.#table = undefined;
    return toDisposable(remove);
  }

  /** Product paths by plugin: those of a disabled plugin answer 501 instead of 404. */
  setListed(listed: readonly ListedPaths[]): void {
    this.#listed = listed;
    this.#table = undefined;
  }

  list(): readonly RouteEntry[] {
    return [...this.#entries.values()];
  }

  /** Builds the table now, so that the next request need not. */
  publish(): void {
    this.#table ??= this.#build();
  }

  find(method: string, path: string): RouteMatch | undefined {
    this.#table ??= this.#build();
    return this.#table.find(method, path);
  }

  *#expand(owner: string, route: RouteDefinition): Iterable<RouteEntry> {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const full = path.startsWith('/') ? path : `/api/v1/plugins/${owner}/${path}`;
      yield { owner, route, path: full };
    }
  }

  #build(): Table {
    const byMethod = new Map<string, PathTree<RouteEntry>>();
    for (const entry of this.#entries.values()) {
      const { method } = entry.route;
      const tree = byMethod.get(method) ?? new PathTree();
      tree.add(entry.path, entry);
      byMethod.set(method, tree);
    }
    const listed = this.#listed;
    const served = new Set([...this.#entries.values()].map((entry) => entry.owner));
    return {
      find(method, path) {
        const found = byMethod.get(method)?.find(path);
        if (found) return { kind: 'route', entry: found.value, params: found.params };
        const off = listed.find(
          ({ plugin, prefixes }) => !served.has(plugin) && prefixes.some((prefix) => isUnder(path, prefix)),
        );
        return off && { kind: 'disabled', plugin: off.plugin };
      },
    };
  }
}

/** Paths that differ only in the names of their parameters, or in a slash at the end, are one path. */
function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/:[^/]+/g, ':').replace(/(?<=.)\/$/, '')}`;
}

/** Whether a path is the listed one or below it; `:name` stands for any one segment. */
function isUnder(path: string, prefix: string): boolean {
  const listed = prefix.replace(/^[A-Z]+ /, '').split('/');
  const segments = path.split('/');
  return listed.every(
    (part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== undefined),
  );
}
