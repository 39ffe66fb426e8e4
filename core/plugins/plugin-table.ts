import { Emitter, type Event } from '../lifecycle/emitter.ts';
import { describeGraphProblem, PluginGraph, type GraphProblem } from './plugin-graph.ts';
import type { RunningPlugin } from './plugin-activation.ts';
import type { KnownPlugin, PluginChange, PluginState, PluginStatus } from './plugin-host.ts';
import { SDK_CONTRACT, type PluginManifest } from './plugin-manifest.ts';
import { satisfies } from './versions.ts';

/** The facts that the manager has about a plugin. */
export interface PluginEntry<Context> {
  readonly known: KnownPlugin;
  /** The decision about it; `undefined` while there is none. */
  wish: 'enabled' | 'disabled' | undefined;
  /** Why it could not be enabled, or why it is off although it should be on. */
  reason: string | undefined;
  failed: boolean;
  /** Whether the start of the host has not finished with it. */
  starting: boolean;
  running: RunningPlugin<Context> | undefined;
  suspended: readonly string[];
  refusing: readonly string[];
}

/** For a plugin none of whose parts failed too often. */
export const nothingSpent = { suspended: [], refusing: [] } as const;

const takenDown = 'It was starting when the host stopped, so it was left off; enable it to try again.';

/** All plugins of a host. States are derived from facts and never set. */
export class PluginTable<Context> {
  readonly #hostVersion: string;
  readonly #entries = new Map<string, PluginEntry<Context>>();
  readonly #changed = new Emitter<PluginChange>();
  #statuses = new Map<string, PluginStatus>();
  #list: readonly PluginStatus[] = [];
  #graph = new PluginGraph([]);
  /**
   * By id. They depend on manifests alone, so they are kept: comparing versions at every change of a state took a tenth of a
   * page's start.
   */
  readonly #incompatibilities = new Map<string, readonly string[]>();

  readonly onDidChange: Event<PluginChange> = this.#changed.event;

  constructor(hostVersion: string) {
    this.#hostVersion = hostVersion;
  }

  get graph(): PluginGraph {
    return this.#graph;
  }

  get(id: string): PluginEntry<Context> | undefined {
    return this.#entries.get(id);
  }

  status(id: string): PluginStatus | undefined {
    return this.#statuses.get(id);
  }

  /** Sorted by id; the same array until something changes. */
  list(): readonly PluginStatus[] {
    return this.#list;
  }

  /** Adds plugins, or replaces those that are not running; decisions about them stay. */
  put(plugins: readonly KnownPlugin[]): void {
    for (const known of plugins) {
      const crashed = hasCrashed(known);
      const before = this.#entries.get(known.id);
      const isGone = known.manifest === undefined && known.problem === undefined;
      this.#entries.set(known.id, {
        known,
        wish: crashed ? 'disabled' : (wishOf(known) ?? before?.wish),
        // A plugin that failed before its folder was gone will fail again when it is back.
        reason: known.persistedReason ?? (crashed ? takenDown : isGone ? before?.reason : undefined),
        failed: false,
        starting: false,
        running: undefined,
        ...nothingSpent,
      });
    }
    this.#rebuild();
  }

  delete(id: string): void {
    this.#entries.delete(id);
    this.#rebuild();
  }

  /** Changes an entry and informs listeners. */
  update(id: string, change: Partial<Omit<PluginEntry<Context>, 'known'>>): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    Object.assign(entry, change);
    // Everything else derived depends on manifests, which stay.
    const previous = this.#statuses.get(id);
    const current = this.#derive(entry);
    if (previous === undefined || isSameStatus(previous, current)) return;
    this.#statuses = new Map(this.#statuses).set(id, current);
    this.#list = [...this.#statuses.values()];
    this.#changed.fire({ id, previous, current });
  }

  /** Why a plugin cannot run here; empty when it can. */
  incompatibilities(id: string): readonly string[] {
    const known = this.#incompatibilities.get(id);
    if (known !== undefined) return known;
    const found = this.#findIncompatibilities(id);
    this.#incompatibilities.set(id, found);
    return found;
  }

  /** Why `id` could not run here if `next` replaced the plugin with its id. */
  incompatibilitiesAfter(next: KnownPlugin, id: string): readonly string[] {
    const trial = new PluginTable<Context>(this.#hostVersion);
    const others = [...this.#entries.values()].filter(({ known }) => known.id !== next.id);
    trial.put([...others.map(({ known }) => known), next]);
    return trial.incompatibilities(id);
  }

  #findIncompatibilities(id: string): readonly string[] {
    const entry = this.#entries.get(id);
    const manifest = entry?.known.manifest;
    if (manifest === undefined) return entry?.known.problem === undefined ? [] : [entry.known.problem];
    const needed = [id, ...this.#graph.dependenciesOf(id, { transitive: true })];
    return [
      ...needed.flatMap((at) => this.#contractProblems(this.#entries.get(at)?.known.manifest)),
      ...this.#graph.problemsOf(id).map((problem) => this.#describe(problem)),
    ];
  }

  /** Derives all states again. */
  #refresh(): void {
    const previous = this.#statuses;
    const current = new Map<string, PluginStatus>();
    const changes: PluginChange[] = [];
    for (const [id, entry] of [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1))) {
      const before = previous.get(id);
      const now = this.#derive(entry);
      const same = before !== undefined && isSameStatus(before, now);
      current.set(id, same ? before : now);
      if (!same) changes.push({ id, ...(before === undefined ? {} : { previous: before }), current: now });
    }
    for (const [id, before] of previous) {
      if (!current.has(id)) changes.push({ id, previous: before });
    }
    if (changes.length === 0) return;
    this.#statuses = current;
    this.#list = [...current.values()];
    for (const change of changes) this.#changed.fire(change);
  }

  #rebuild(): void {
    const manifests = [...this.#entries.values()].flatMap((entry) => entry.known.manifest ?? []);
    this.#graph = new PluginGraph(manifests);
    this.#incompatibilities.clear();
    this.#refresh();
  }

  #derive(entry: PluginEntry<Context>): PluginStatus {
    const { known } = entry;
    const incompatibilities = entry.running === undefined ? this.incompatibilities(known.id) : [];
    const reason = incompatibilities.length > 0 ? incompatibilities.join('\n') : entry.reason;
    return {
      id: known.id,
      state: stateOf(entry, incompatibilities),
      system: isSystem(known),
      origin: known.origin,
      suspended: entry.suspended,
      refusing: entry.refusing,
      ...(known.manifest === undefined ? {} : { manifest: known.manifest }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  /** A dependency that is present but unreadable is not missing. */
  #describe(problem: GraphProblem): string {
    if (problem.kind !== 'missing') return describeGraphProblem(problem);
    const reason = this.#entries.get(problem.dependency)?.known.problem;
    return reason === undefined
      ? describeGraphProblem(problem)
      : `'${problem.plugin}' needs '${problem.dependency}', which cannot be used: ${reason}`;
  }

  #contractProblems(manifest: PluginManifest | undefined): readonly string[] {
    if (manifest === undefined) return [];
    const { id, sdk, engines } = manifest;
    const problems: string[] = [];
    if (sdk !== SDK_CONTRACT) {
      problems.push(
        `'${id}' was written for SDK contract ${sdk}, this host has ${SDK_CONTRACT}; install a version for it.`,
      );
    }
    if (!satisfies(this.#hostVersion, engines.trellis)) {
      problems.push(
        `'${id}' asks for Trellis ${engines.trellis}, this is ${this.#hostVersion}; install a version that fits.`,
      );
    }
    return problems;
  }
}

/** Whether it took the host down in its last start, and nobody has decided about it since. */
export function hasCrashed(known: KnownPlugin): boolean {
  return (known.persisted === 'starting' || known.persisted === 'crashed') && !isSystem(known);
}

export function isSystem(known: KnownPlugin): boolean {
  return known.origin === 'built-in' && known.manifest?.system === true;
}

function wishOf({ persisted }: KnownPlugin): 'enabled' | 'disabled' | undefined {
  return persisted === 'starting' || persisted === 'crashed' ? 'enabled' : persisted;
}

function stateOf<Context>(entry: PluginEntry<Context>, incompatibilities: readonly string[]): PluginState {
  if (entry.running !== undefined)
    return entry.suspended.length + entry.refusing.length > 0 ? 'degraded' : 'enabled';
  if (incompatibilities.length > 0) return 'incompatible';
  if (entry.known.manifest === undefined) return 'missing';
  if (entry.starting) return 'starting';
  if (entry.failed) return 'failed';
  return entry.wish === 'disabled' ? 'disabled' : 'discovered';
}

function isSameStatus(left: PluginStatus, right: PluginStatus): boolean {
  return (
    left.state === right.state &&
    left.reason === right.reason &&
    left.manifest === right.manifest &&
    left.origin === right.origin &&
    left.suspended === right.suspended &&
    left.refusing === right.refusing
  );
}
