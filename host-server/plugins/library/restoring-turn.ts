import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { defineErrors } from '@trellis/core';
import type { Servers } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { readSetting, writeSetting } from '../../metadata/settings.ts';
import { beginPattern } from '../../sql/long-texts.ts';

const turnErrors = defineErrors({
  PLUGIN_DATA_BUSY: {
    status: 409,
    message:
      'Another server is putting back the data of a plugin at this moment. Please try again when it is done.',
  },
  PLUGIN_DATA_ELSEWHERE: {
    status: 503,
    message: "Another server still runs '{plugin}', so nothing was put back. Please try again in a moment.",
  },
});

/** The setting that names the server restoring data, and the plugin, separated by a blank. */
const turnKey = 'plugin.restoring';
/**
 * The prefix of settings that name a server and a plugin it runs, in the same form. The rest of the key is short, because keys of
 * settings are.
 */
const runsKey = 'plugin.runs.';
/** Milliseconds between two checks of other servers. */
const pause = 100;
/** Milliseconds that other servers may take to notice the turn and to stop the plugin. */
const patience = 30_000;
/** Milliseconds that the start of a plugin waits; less than one of its steps may take. */
const longestStart = 5000;

export interface RestoringTurnDependencies {
  readonly metadata: Pick<Metadata, 'database' | 'generations'>;
  readonly servers: Servers;
  /** Aborts when this server stops. */
  readonly ending: AbortSignal;
}

/**
 * Keeps a plugin off on all servers of a database while one of them restores its data. Each server records what it runs, learns
 * of the turn by the generation of the plugins, and is waited for. Servers that have ended are not waited for.
 */
export class RestoringTurn {
  readonly #deps: RestoringTurnDependencies;
  /** Settles when the last turn of this server is given back. */
  #givenBack: Promise<void> = Promise.resolve();

  constructor(deps: RestoringTurnDependencies) {
    this.#deps = deps;
  }

  /**
   * Records that this server runs a plugin, and removes records of killed servers. Resolves once no other server restores the
   * plugin's data, so that a later one sees the record. It waits only briefly, since a start waits for it; a plugin that starts
   * anyway is switched off again by the caller of `elsewhere`.
   */
  async begin(id: string, signal: AbortSignal): Promise<void> {
    const { database } = this.#deps.metadata;
    const ends = AbortSignal.any([signal, AbortSignal.timeout(longestStart)]);
    await this.#runningElsewhere(id);
    for (;;) {
      await database.write((unit) => writeSetting(unit, this.#runsHere(id), this.#here(id)), { retry: true });
      if (ends.aborted || (await this.elsewhere()) !== id) return;
      await this.ended(id);
      await this.isOver(id, ends);
    }
  }

  async ended(id: string): Promise<void> {
    await this.#forget([this.#runsHere(id)]);
  }

  /**
   * Runs work while no other server runs the plugin. Only one plugin at a time has a turn, so that two servers cannot wait for
   * each other.
   *
   * @throws TrellisError 409 `PLUGIN_DATA_BUSY`, 503 `PLUGIN_DATA_ELSEWHERE`, and the errors of the work
   */
  async take<T>(
    { id, name }: { readonly id: string; readonly name: string },
    work: () => Promise<T>,
  ): Promise<T> {
    await this.#givenBack;
    await this.#claim(id);
    try {
      await this.#tell();
      const until = performance.now() + patience;
      while ((await this.#runningElsewhere(id)).length > 0) {
        if (performance.now() > until) throw turnErrors.create('PLUGIN_DATA_ELSEWHERE', { plugin: name });
        await setTimeout(pause);
      }
      return await work();
    } finally {
      // A finished restore stays done if giving the turn back fails.
      await this.#giveBack(id).catch(() => {
        this.#givenBack = this.#giveBackLater(id);
      });
    }
  }

  async #giveBack(id: string): Promise<void> {
    const value = this.#here(id);
    // Deleted by value: if the turn was given back already and the answer was lost, another server may have it by the next try.
    await this.#deps.metadata.database.write(
      (unit) => unit.run(unit.knex('trellis_setting').where({ key: turnKey, value }).delete()),
      { retry: true },
    );
    await this.#tell();
  }

  /** Tries until the database accepts it: other servers keep the plugin off while this server has the turn. */
  async #giveBackLater(id: string): Promise<void> {
    const { ending } = this.#deps;
    for (let isGiven = false; !isGiven && !ending.aborted;) {
      await setTimeout(pause, undefined, { signal: ending }).catch(() => undefined);
      isGiven = await this.#giveBack(id).then(
        () => true,
        () => false,
      );
    }
  }

  /** The plugin whose data another server is restoring. */
  async elsewhere(): Promise<string | undefined> {
    const { server, id } = (await this.#holder()) ?? {};
    return server === undefined || server === this.#deps.servers.id || (await this.#hasEnded(server))
      ? undefined
      : id;
  }

  /** Resolves when no other server restores a plugin's data, or when the signal aborts. */
  async isOver(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.elsewhere()) === id)
      await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }

  async #claim(id: string): Promise<void> {
    const { metadata, servers } = this.#deps;
    const value = this.#here(id);
    const settings = { key: turnKey, value };
    const held = await metadata.database.write(
      async (unit) => {
        await unit.run(unit.knex('trellis_setting').insert(settings).onConflict('key').ignore());
        return (await readSetting(unit, turnKey)) ?? value;
      },
      { retry: true },
    );
    if (held === value) return;
    const { server } = pairIn(held);
    // The own record may be left over, from when the database was unreachable.
    if (server !== servers.id && !(await this.#hasEnded(server))) throw turnErrors.create('PLUGIN_DATA_BUSY');
    const { changes } = await metadata.database.write((unit) =>
      unit.run(unit.knex('trellis_setting').where({ key: turnKey, value: held }).update({ value })),
    );
    if (changes === 0) throw turnErrors.create('PLUGIN_DATA_BUSY');
  }

  async #holder() {
    const held = await this.#deps.metadata.database.read((unit) => readSetting(unit, turnKey));
    return held === undefined ? undefined : pairIn(held);
  }

  async #hasEnded(server: string): Promise<boolean> {
    return (await this.#deps.servers.endedOf([server])).length > 0;
  }

  /** The other servers that run a plugin; records of servers that have ended are deleted. */
  async #runningElsewhere(id: string): Promise<readonly string[]> {
    const { metadata, servers } = this.#deps;
    const rows = await metadata.database.read((unit) =>
      unit.all<{ readonly key: string; readonly value: string }>(
        unit.knex('trellis_setting').where('key', 'like', beginPattern(runsKey)).select('key', 'value'),
      ),
    );
    const others = rows
      .map(({ key, value }) => ({ key, ...pairIn(value) }))
      .filter(({ server }) => server !== servers.id);
    const ended = new Set(
      others.length === 0 ? [] : await servers.endedOf([...new Set(others.map(({ server }) => server))]),
    );
    await this.#forget(others.filter(({ server }) => ended.has(server)).map(({ key }) => key));
    return others.filter((of) => of.id === id && !ended.has(of.server)).map(({ server }) => server);
  }

  async #forget(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#deps.metadata.database.write(
      (unit) => unit.run(unit.knex('trellis_setting').whereIn('key', keys).delete()),
      { retry: true },
    );
  }

  async #tell(): Promise<void> {
    const { database, generations } = this.#deps.metadata;
    await database.write((unit) => generations.bump(unit, 'plugins'), { retry: true });
  }

  #runsHere(id: string): string {
    return runsKey + createHash('sha256').update(this.#here(id)).digest('hex').slice(0, 24);
  }

  /** This server and a plugin. */
  #here(id: string): string {
    return `${this.#deps.servers.id} ${id}`;
  }
}

function pairIn(held: string): { readonly server: string; readonly id: string } {
  const at = held.lastIndexOf(' ');
  return { server: held.slice(0, at), id: held.slice(at + 1) };
}
