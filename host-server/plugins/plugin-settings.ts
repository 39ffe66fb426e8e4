import {
  applyDefaults,
  defineErrors,
  describeProblems,
  Emitter,
  keepMaskedSecrets,
  knownPart,
  mapSecrets,
  maskSecrets,
  pagePart,
  problemsByField,
  retargetedSecrets,
  secretPaths,
  SerialQueue,
  validateSettings,
  type PluginManifest,
  type Event,
  type PluginScope,
  type SettingsSchema,
} from '@trellis/core';
import type { Logger, Secrets } from '@trellis/sdk/server';
import type { PluginSettings } from '@trellis/sdk/shared';
import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { asPlugin } from '../runtime/current-plugin.ts';
import { keepTryingOnce } from '../runtime/keep-trying.ts';
import type { KnownSecrets } from '../runtime/logging/known-secrets.ts';

type Values = Readonly<Record<string, unknown>>;

const settingsErrors = defineErrors({
  SETTINGS_INVALID: { status: 400, message: 'These settings cannot be saved: {description}' },
  SETTINGS_TOO_LARGE: { status: 400, message: 'These settings are longer than {limit} bytes.' },
});

/** The most bytes, which fit into a text column of every database. */
const longest = 60_000;
const scopeName = 'plugin-settings';

export interface PluginSettingsStoreDependencies {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Gets every secret in plugins' settings, so that none is logged. */
  readonly knownSecrets: KnownSecrets;
}

/** The settings of plugins, stored in `trellis_plugin` with sealed secrets, and in memory as plugins read them. */
export interface PluginSettingsStore {
  /** Reads the stored settings and informs the plugins whose settings changed. */
  load(): Promise<void>;
  /** A running plugin's own settings, until its scope closes. */
  attach(manifest: PluginManifest, scope: PluginScope): PluginSettings;
  /** The settings for a form: defaults filled in, secrets masked. */
  masked(id: string, schema: SettingsSchema): Values;
  /** Whether settings are stored. */
  isSet(id: string): boolean;
  /** The settings that every page may see; undefined for a plugin that marks none. */
  forPages(manifest: PluginManifest): Values | undefined;
  /** Fires when a plugin's settings for pages have changed. */
  readonly onDidChangeForPages: Event<{ readonly id: string }>;
  /** The titles of required settings that have no value yet. */
  missing(id: string, schema: SettingsSchema): readonly string[];
  /**
   * The settings from a submitted form, with masked secrets replaced by the stored ones.
   *
   * @throws TrellisError `SETTINGS_INVALID`, with the problems by field.
   */
  complete(id: string, schema: SettingsSchema, incoming: Values): Values;
  /** @throws TrellisError `SETTINGS_INVALID`; then nothing is stored. */
  save(manifest: PluginManifest, schema: SettingsSchema, incoming: Values): Promise<void>;
  /** The settings when nothing is stored: the defaults, and the required settings without one. */
  unset(schema: SettingsSchema): { readonly values: Values; readonly missing: readonly string[] };
  /** Deletes the stored settings, including secrets. */
  clear(manifest: PluginManifest, schema: SettingsSchema): Promise<void>;
  dispose(): void;
}

interface SettingsRow {
  readonly id: string;
  readonly settings: string | null;
}

interface Listener {
  readonly schema: SettingsSchema;
  current: Values;
  readonly changed: Emitter<Record<string, unknown>>;
}

export function createPluginSettingsStore(deps: PluginSettingsStoreDependencies): PluginSettingsStore {
  const { metadata, secrets, logger, knownSecrets } = deps;
  /** The stored texts, by plugin: an equal text means equal settings. */
  let stored: ReadonlyMap<string, string> = new Map();
  const listeners = new Map<string, Listener>();
  const changedForPages = new Emitter<{ readonly id: string }>();
  const queue = new SerialQueue();
  const ending = new AbortController();

  function purposeOf(id: string): string {
    return `plugin-settings:${id}`;
  }

  function seal(id: string, schema: SettingsSchema, values: Values): string {
    const sealed = mapSecrets(schema, values, (secret) =>
      secrets.encrypt(purposeOf(id), JSON.stringify(secret)),
    );
    return JSON.stringify(sealed);
  }

  /** A secret that cannot be decrypted becomes empty, so that the rest still works and it can be entered again. */
  function open(id: string, schema: SettingsSchema, text: string | null | undefined): Values {
    if (text === undefined || text === null || text === '') return {};
    return mapSecrets(schema, JSON.parse(text) as Values, (secret, steps) => {
      try {
        const plain = JSON.parse(secrets.decrypt(purposeOf(id), String(secret))) as unknown;
        knownSecrets.remember(plain);
        return plain;
      } catch (error) {
        logger.error('A secret of a plugin cannot be read', { plugin: id, setting: steps.join('.'), error });
        return '';
      }
    });
  }

  function filled(id: string, schema: SettingsSchema, text = stored.get(id)): Values {
    return (applyDefaults(schema, open(id, schema, text)) ?? {}) as Values;
  }

  /** @throws TrellisError `SETTINGS_INVALID`. */
  function validated(schema: SettingsSchema, incoming: Values, before: Values): Values {
    // A form opened before an update also sends back fields that the earlier version had.
    const known = knownPart(schema, incoming, before);
    // Items of lists are matched by their content, so unknown keys are dropped on both sides.
    const { value: former } = knownPart(schema, before);
    const outcome = validateSettings(schema, keepMaskedSecrets(schema, known.value, former));
    const problems = [
      ...(outcome.kind === 'invalid' ? outcome.problems : []),
      ...known.problems,
      ...retargetedSecrets(schema, known.value, former),
    ];
    if (outcome.kind === 'valid' && problems.length === 0) {
      for (const secret of secretsIn(schema, outcome.value)) knownSecrets.remember(secret);
      return outcome.value;
    }
    throw settingsErrors.create('SETTINGS_INVALID', {
      description: describeProblems(problems).replaceAll('\n', '; '),
      problems: problemsByField(problems),
    });
  }

  function load(): Promise<void> {
    return queue.run(async () => {
      const rows = await metadata.database.read((unit) =>
        unit.all<SettingsRow>(unit.knex('trellis_plugin').whereNotNull('settings').select('id', 'settings')),
      );
      const before = stored;
      stored = new Map(rows.map(({ id, settings }) => [id, settings ?? '']));
      for (const [id, listener] of listeners) {
        if (stored.get(id) === before.get(id)) continue;
        const former = listener.current;
        listener.current = filled(id, listener.schema);
        if (!isSameForPages(listener.schema, former, listener.current)) changedForPages.fire({ id });
        asPlugin(id, () => listener.changed.fire({ ...listener.current }));
      }
    });
  }

  async function write(unit: Unit, manifest: PluginManifest, settings: string): Promise<void> {
    const { id, version } = manifest;
    const now = Date.now();
    // Without a row nobody has decided about the plugin yet, so its default stays in force.
    const enabled = manifest.enabledByDefault === true;
    const row = { id, version, enabled, settings, updated_at: now };
    await unit.run(
      unit.knex('trellis_plugin').insert(row).onConflict('id').merge(['settings', 'updated_at']),
    );
  }

  /** @param store stores other settings, and returns them */
  async function change(
    { id }: PluginManifest,
    schema: SettingsSchema,
    store: (unit: Unit, before: Values) => Promise<Values>,
  ): Promise<void> {
    await metadata.database.write(
      async (unit) => {
        // Concurrent saves take turns here, so that none restores a secret that another one replaced.
        await metadata.generations.bump(unit, scopeName);
        const row = await unit.first<SettingsRow>(
          unit.knex('trellis_plugin').where({ id }).select('id', 'settings'),
        );
        const before = filled(id, schema, row?.settings ?? '');
        const after = await store(unit, before);
        // Pages read the list of plugins, which contains their settings, when its generation rises.
        if (!isSameForPages(schema, before, after)) await metadata.generations.bump(unit, 'plugins');
      },
      { retry: true },
    );
    await load();
  }

  const loadAgain = keepTryingOnce(load, {
    signal: ending.signal,
    onError: (error) => logger.error('The settings of plugins could not be read', { error }),
  });
  const subscription = metadata.generations.onDidChange(({ scope }) => {
    if (scope === scopeName) loadAgain();
  });

  return {
    load,
    attach({ id, settings: schema }, scope) {
      const changed = new Emitter<Record<string, unknown>>();
      scope.own({ dispose: () => changed.dispose() });
      if (schema === undefined) return { current: {}, onDidChange: changed.event };
      knownSecrets.nameFields(id, secretFields(schema));
      const listener: Listener = { schema, current: filled(id, schema), changed };
      listeners.set(id, listener);
      scope.own({
        dispose: () => {
          if (listeners.get(id) === listener) listeners.delete(id);
        },
      });
      return {
        get current() {
          return listener.current as Record<string, unknown>;
        },
        onDidChange: changed.event,
      };
    },
    missing: (id, schema) => missingIn(schema, filled(id, schema)),
    unset(schema) {
      const values = (applyDefaults(schema, {}) ?? {}) as Values;
      return { values, missing: missingIn(schema, values) };
    },
    forPages({ id, settings: schema }) {
      const shown = schema && pagePart(schema, filled(id, schema));
      return shown === undefined ? undefined : (shown as Values);
    },
    onDidChangeForPages: changedForPages.event,
    masked: (id, schema) => maskSecrets(schema, knownPart(schema, filled(id, schema)).value),
    isSet: (id) => stored.has(id),
    complete: (id, schema, incoming) => validated(schema, incoming, filled(id, schema)),
    save: (manifest, schema, incoming) =>
      change(manifest, schema, async (unit, before) => {
        const after = validated(schema, incoming, before);
        const text = seal(manifest.id, schema, after);
        if (Buffer.byteLength(text) > longest)
          throw settingsErrors.create('SETTINGS_TOO_LARGE', { limit: longest });
        await write(unit, manifest, text);
        return after;
      }),
    clear: (manifest, schema) =>
      change(manifest, schema, async (unit) => {
        const row = unit.knex('trellis_plugin').where({ id: manifest.id });
        await unit.run(row.update({ settings: null, updated_at: Date.now() }));
        return filled(manifest.id, schema, '');
      }),
    dispose() {
      ending.abort();
      void subscription.dispose();
    },
  };
}

/** The titles of required settings that have no value. */
function missingIn(schema: SettingsSchema, values: Values): readonly string[] {
  const outcome = validateSettings(schema, values);
  const problems = outcome.kind === 'invalid' ? outcome.problems : [];
  const names = problems.flatMap(({ keyword, params }) =>
    keyword === 'required' ? [String(params?.['property'])] : [],
  );
  return names.map((name) => schema.properties?.[name]?.title ?? name);
}

/** Whether two settings are the same for pages. */
function isSameForPages(schema: SettingsSchema, before: Values, after: Values): boolean {
  return JSON.stringify(pagePart(schema, before)) === JSON.stringify(pagePart(schema, after));
}

/** The secrets that these settings hold. */
function secretsIn(schema: SettingsSchema, values: Values): readonly unknown[] {
  const secrets: unknown[] = [];
  mapSecrets(schema, values, (secret) => secrets.push(secret));
  return secrets;
}

/** The names of the fields that hold secrets. */
function secretFields(schema: SettingsSchema): readonly string[] {
  return secretPaths(schema).flatMap((path) => path.split('/').findLast((step) => step !== '*') ?? []);
}
