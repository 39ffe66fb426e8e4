import { ServerInfoToken, type ServerPluginContext } from '@trellis/sdk/server';
import { defineErrors, type PluginSettingsForm } from '@trellis/sdk/shared';
import type { StoreSettings } from './publishers.ts';

const addressErrors = defineErrors({
  PLUGIN_INDEX_FIXED: {
    status: 409,
    message: 'The operator of this server has set the plugin index (TRELLIS_PLUGIN_INDEX).',
  },
});

type Values = Readonly<Record<string, unknown>>;

/** Where the plugin index is: the configuration of the server decides, and where it says nothing, the settings of the app store. */
export function indexAddress(ctx: ServerPluginContext<StoreSettings>) {
  const fixed = ctx.get(ServerInfoToken).pluginIndex;
  const stored = () => ctx.settings.current.index || undefined;
  const isFixed = (id: string) => fixed !== undefined && id === ctx.manifest.id;

  return {
    current: () => fixed ?? stored(),
    /** The settings of a plugin as they are shown: those of the app store with the address that counts, which nobody can change there. */
    shown(id: string, form: PluginSettingsForm): PluginSettingsForm {
      const { properties = {} } = form.schema;
      if (!isFixed(id)) return form;
      const index = { ...properties['index'], 'x-ui': { locked: true } };
      return {
        ...form,
        schema: { ...form.schema, properties: { ...properties, index } },
        values: { ...form.values, index: fixed },
      };
    },
    /**
     * The settings of a plugin as they are stored: the address of before is kept for the day on which the configuration names none.
     *
     * @throws TrellisError `PLUGIN_INDEX_FIXED` for another address than the configuration's.
     */
    kept(id: string, input: Values): Values {
      if (!isFixed(id)) return input;
      const { index = fixed, ...others } = input;
      if (index !== fixed) throw addressErrors.create('PLUGIN_INDEX_FIXED');
      const before = stored();
      return before === undefined ? others : { ...others, index: before };
    },
  };
}
