import type { PluginManifest } from './plugin-manifest.ts';
import { satisfies } from './versions.ts';

/** A reason why a plugin cannot be enabled among the present plugins. */
export type GraphProblem =
  | { readonly kind: 'missing'; readonly plugin: string; readonly dependency: string; readonly range: string }
  | {
      readonly kind: 'incompatible';
      readonly plugin: string;
      readonly dependency: string;
      readonly range: string;
      readonly found: string;
    }
  | { readonly kind: 'cycle'; readonly plugin: string; readonly path: readonly string[] };

export type MissingDependency = Extract<GraphProblem, { kind: 'missing' }>;
export type IncompatibleDependency = Extract<GraphProblem, { kind: 'incompatible' }>;

/** Two plugins that must not be enabled at the same time. */
export interface PluginConflict {
  /** The plugin whose manifest declares the conflict. */
  readonly plugin: string;
  readonly with: string;
  readonly range: string;
  readonly found: string;
}

export interface PluginCycle {
  /** The first id is repeated at the end. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The dependencies of plugins, and what follows from them. Built from manifests alone; immutable. */
export class PluginGraph {
  readonly #manifests: ReadonlyMap<string, PluginManifest>;
  readonly #dependents = new Map<string, string[]>();

  /** Ids, dependencies first, otherwise by id. Plugins in a cycle, or that need one in a cycle, are left out. */
  readonly order: readonly string[];
  readonly missing: readonly MissingDependency[];
  readonly incompatible: readonly IncompatibleDependency[];
  readonly cycles: readonly PluginCycle[];
  readonly conflicts: readonly PluginConflict[];

  constructor(manifests: Iterable<PluginManifest>) {
    const sorted = [...manifests].sort((left, right) => (left.id < right.id ? -1 : 1));
    this.#manifests = new Map(sorted.map((manifest) => [manifest.id, manifest]));
    const missing: MissingDependency[] = [];
    const incompatible: IncompatibleDependency[] = [];
    const conflicts: PluginConflict[] = [];
    for (const manifest of sorted) {
      for (const { id, range, optional } of dependenciesOf(manifest)) {
        const found = this.#manifests.get(id)?.version;
        const problem = { plugin: manifest.id, dependency: id, range };
        if (found === undefined && !optional) missing.push({ kind: 'missing', ...problem });
        if (found === undefined) continue;
        if (!satisfies(found, range)) incompatible.push({ kind: 'incompatible', ...problem, found });
        if (!optional) append(this.#dependents, id, manifest.id);
      }
      for (const [id, range] of Object.entries(manifest.conflicts ?? {})) {
        const found = this.#manifests.get(id)?.version;
        if (found !== undefined && satisfies(found, range)) {
          conflicts.push({ plugin: manifest.id, with: id, range, found });
        }
      }
    }
    this.missing = missing;
    this.incompatible = incompatible;
    this.conflicts = conflicts;
    const { order, cycles } = this.#sort();
    this.order = order;
    this.cycles = cycles;
  }

  /** The plugins that require this one, sorted by id; with `transitive` also those that require them. */
  dependentsOf(id: string, options: { readonly transitive?: boolean } = {}): readonly string[] {
    return this.#reach(id, (at) => this.#dependents.get(at) ?? [], options.transitive === true);
  }

  /** The plugins that this one requires, sorted by id; with `transitive` also those that they require. */
  dependenciesOf(id: string, options: { readonly transitive?: boolean } = {}): readonly string[] {
    const step = (at: string) => Object.keys(this.#manifests.get(at)?.dependencies ?? {});
    return this.#reach(id, step, options.transitive === true);
  }

  /** The conflicts that a plugin is part of, on either side. */
  conflictsOf(id: string): readonly PluginConflict[] {
    return this.conflicts.filter((conflict) => conflict.plugin === id || conflict.with === id);
  }

  /** Why a plugin cannot be enabled: its own problems, those of its dependencies, and cycles that involve any of them. */
  problemsOf(id: string): readonly GraphProblem[] {
    const needed = new Set([id, ...this.dependenciesOf(id, { transitive: true })]);
    const before = new Set([id, ...this.#reach(id, (at) => this.#edges(at), true)]);
    return [
      ...this.missing.filter((problem) => needed.has(problem.plugin)),
      ...this.incompatible.filter((problem) => needed.has(problem.plugin)),
      ...this.cycles
        .filter((cycle) => cycle.path.some((at) => before.has(at)))
        .map((cycle) => ({ kind: 'cycle' as const, plugin: id, path: cycle.path })),
    ];
  }

  #reach(id: string, step: (at: string) => readonly string[], transitive: boolean): readonly string[] {
    const reached = new Set<string>();
    const waiting = [...step(id)];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      if (transitive) waiting.push(...step(at));
    }
    return [...reached].sort();
  }

  /** Depth first with an explicit stack, so that a long chain cannot overflow the call stack. */
  #sort(): { order: string[]; cycles: PluginCycle[] } {
    const order: string[] = [];
    const cycles: PluginCycle[] = [];
    const state = new Map<string, 'open' | 'done' | 'broken'>();
    for (const root of this.#manifests.keys()) {
      if (state.has(root)) continue;
      state.set(root, 'open');
      const path = [{ id: root, next: this.#edges(root), broken: false }];
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const dependency = top.next.shift();
        if (dependency === undefined) {
          path.pop();
          state.set(top.id, top.broken ? 'broken' : 'done');
          if (!top.broken) order.push(top.id);
          const parent = path.at(-1);
          if (parent !== undefined && top.broken) parent.broken = true;
          continue;
        }
        const known = state.get(dependency);
        if (known === 'open') {
          const ids = path.map((step) => step.id);
          cycles.push(createCycle([...ids.slice(ids.indexOf(dependency)), dependency]));
          top.broken = true;
        } else if (known === 'broken') {
          top.broken = true;
        } else if (known === undefined) {
          state.set(dependency, 'open');
          path.push({ id: dependency, next: this.#edges(dependency), broken: false });
        }
      }
    }
    return { order, cycles };
  }

  /** The dependencies that are present, sorted. */
  #edges(id: string): string[] {
    const manifest = this.#manifests.get(id);
    if (manifest === undefined) return [];
    return dependenciesOf(manifest)
      .map((dependency) => dependency.id)
      .filter((dependency) => this.#manifests.has(dependency))
      .sort();
  }
}

function dependenciesOf(manifest: PluginManifest) {
  const list = (ranges: Readonly<Record<string, string>> | undefined, optional: boolean) =>
    Object.entries(ranges ?? {}).map(([id, range]) => ({ id, range, optional }));
  return [...list(manifest.dependencies, false), ...list(manifest.optionalDependencies, true)];
}

/** A graph problem as a sentence that also says what to do. */
export function describeGraphProblem(problem: GraphProblem): string {
  switch (problem.kind) {
    case 'missing':
      return `'${problem.plugin}' needs '${problem.dependency}' ${problem.range}, which is not installed; install it.`;
    case 'incompatible':
      return (
        `'${problem.plugin}' needs '${problem.dependency}' ${problem.range}, but ${problem.found} is installed; ` +
        'install versions that fit each other.'
      );
    case 'cycle':
      return createCycle(problem.path).message;
  }
}

function createCycle(path: readonly string[]): PluginCycle {
  return {
    path,
    message: `Plugins need each other in a circle: ${path.join(' -> ')}; drop one of these dependencies.`,
  };
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
