import { defineErrors, messageOf, pluginErrors, type PluginManager } from '@trellis/core';
import type { PluginAdministration, ServerPluginContext } from '@trellis/sdk/server';
import { asPlugin } from '../runtime/current-plugin.ts';
import type { PluginSettingsStore } from './plugin-settings.ts';

const settingsErrors = defineErrors({
  PLUGIN_HAS_NO_SETTINGS: { status: 404, message: "'{plugin}' has no settings." },
  PLUGIN_NEEDS_SETTINGS: {
    status: 409,
    message:
      "'{plugin}' is on and cannot work without {settings}; switch it off before you clear its settings.",
  },
});

type SettingsCalls = Pick<
  PluginAdministration,
  'settings' | 'saveSettings' | 'clearSettings' | 'testSettings'
>;
type TestOutcome = Awaited<ReturnType<PluginAdministration['testSettings']>>;

/** The outcome of a plugin's test of its settings; no answer means that they work. */
function readOutcome(answer: unknown): TestOutcome {
  if (answer === undefined) return { ok: true, message: '' };
  const { ok, message = '' }: { ok?: unknown; message?: unknown } = Object(answer);
  if (typeof ok === 'boolean' && typeof message === 'string') return { ok, message };
  const shown = JSON.stringify(answer)?.slice(0, 60);
  return {
    ok: false,
    message: `The plugin's test answered ${shown}, which does not say whether the settings work; its author should return { ok, message }.`,
  };
}

/** Shows, stores and tests the settings of plugins, for administrators. */
export function administerSettings(
  manager: PluginManager<ServerPluginContext>,
  settings: PluginSettingsStore,
): SettingsCalls {
  /** @throws TrellisError `PLUGIN_HAS_NO_SETTINGS`. */
  function settingsOf(id: string) {
    const manifest = manager.status(id)?.manifest;
    if (manifest?.settings === undefined)
      throw settingsErrors.create('PLUGIN_HAS_NO_SETTINGS', {
        plugin: manifest?.name ?? id,
      });
    return { manifest, schema: manifest.settings };
  }

  /** An error that a plugin's test throws is its answer: why the settings do not work. */
  async function tryOut(id: string, values: Readonly<Record<string, unknown>>) {
    if (!manager.hasTest(id)) throw pluginErrors.create('PLUGIN_TEST_MISSING');
    try {
      return readOutcome(await manager.test(id, values));
    } catch (error) {
      return { ok: false, message: messageOf(error) };
    }
  }

  return {
    settings(id) {
      const schema = manager.status(id)?.manifest?.settings;
      return (
        schema && {
          schema,
          values: settings.masked(id, schema),
          isSet: settings.isSet(id),
          testable: manager.hasTest(id),
        }
      );
    },
    async saveSettings(id, values) {
      const { manifest, schema } = settingsOf(id);
      await asPlugin(id, () => manager.willSave(id, settings.complete(id, schema, values)));
      await settings.save(manifest, schema, values);
    },
    async clearSettings(id) {
      const { manifest, schema } = settingsOf(id);
      const { values, missing } = settings.unset(schema);
      const isOn = ['enabled', 'degraded'].includes(manager.status(id)?.state ?? '');
      if (isOn && missing.length > 0)
        throw settingsErrors.create('PLUGIN_NEEDS_SETTINGS', {
          plugin: manifest.name,
          settings: missing.join(', '),
        });
      await asPlugin(id, () => manager.willSave(id, values));
      await settings.clear(manifest, schema);
    },
    async testSettings(id, values) {
      const { schema } = settingsOf(id);
      return asPlugin(id, () => tryOut(id, settings.complete(id, schema, values)));
    },
  };
}
