import { nearestWord } from '../errors/nearest-word.ts';
import { systemClock, TimeLimitError, withTimeLimit } from '../lifecycle/clock.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { HookPoint, type HookServices } from './hook-point.ts';
import type {
  HookArguments,
  HookCatalogue,
  HookDefinition,
  HookHandler,
  HookKind,
  HookOutcome,
  HookSpec,
  TapOptions,
} from './hook-types.ts';

/** All hooks of one host, typed by a catalogue of ids and specs. */
export class HookRegistry<C extends { [K in keyof C]: HookSpec } = HookCatalogue> {
  readonly #points = new Map<string, HookPoint<HookSpec>>();
  readonly #services: HookServices;

  constructor(services: HookServices) {
    this.#services = services;
  }

  /**
   * Defines a hook.
   *
   * @throws Error when the id is defined already.
   */
  define<K extends keyof C & string>(
    id: K,
    definition: Omit<HookDefinition<C[K]['kind']>, 'id'>,
  ): Disposable {
    if (this.#points.has(id)) throw new Error(`Hook '${id}' is already defined; define each hook once.`);
    const point = new HookPoint<HookSpec>({ ...definition, id }, this.#services);
    this.#points.set(id, point);
    return toDisposable(() => {
      this.#points.delete(id);
    });
  }

  /** @throws Error when the hook is not defined. */
  tap<K extends keyof C & string>(
    owner: string,
    id: K,
    handler: HookHandler<C[K]>,
    options?: TapOptions,
  ): Disposable {
    return this.#point(id, `'${owner}' cannot tap it`).tap(owner, handler as HookHandler<HookSpec>, options);
  }

  /** @throws Error when the hook is not defined; otherwise according to the hook's policy. */
  async call<K extends keyof C & string>(id: K, ...args: HookArguments<C[K]>): Promise<HookOutcome<C[K]>> {
    const point = this.#point(id, 'it cannot be called') as unknown as HookPoint<C[K]>;
    return point.call(...args);
  }

  /**
   * Calls a did hook and waits for its handlers, but no longer than one handler may delay an operation. Slower handlers go on by
   * themselves.
   *
   * @returns whether all handlers are done
   * @throws Error when the hook is not defined.
   */
  async tell<K extends keyof C & string>(id: K, ...args: HookArguments<C[K]>): Promise<boolean> {
    const { limit, clock = systemClock } = this.#services;
    const call = () => this.call(id, ...args);
    try {
      await (limit === undefined ? call() : withTimeLimit(clock, limit, `Hook '${id}'`, call));
      return true;
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      return false;
    }
  }

  /** The kind of a hook; undefined when the hook is not defined. */
  kindOf(id: string): HookKind | undefined {
    return this.#points.get(id)?.definition.kind;
  }

  has(id: string): boolean {
    return this.#points.has(id);
  }

  /** The definitions, sorted by id. */
  list(): readonly HookDefinition[] {
    return [...this.#points.values()]
      .map((point) => point.definition)
      .sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** The owners of a hook's taps in the order in which they run; empty when the hook is not defined. */
  ownersOf(id: string): readonly string[] {
    return this.#points.get(id)?.owners() ?? [];
  }

  /** The number of taps on all hooks together. */
  get size(): number {
    let taps = 0;
    for (const point of this.#points.values()) taps += point.size;
    return taps;
  }

  #point(id: string, consequence: string): HookPoint<HookSpec> {
    const point = this.#points.get(id);
    if (point === undefined) {
      const meant = nearestWord(id, [...this.#points.keys()]);
      const wayOut =
        meant === undefined ? 'check its name against the list of hooks.' : `did you mean '${meant}'?`;
      throw new Error(`Hook '${id}' is not defined, so ${consequence}; ${wayOut}`);
    }
    return point;
  }
}
