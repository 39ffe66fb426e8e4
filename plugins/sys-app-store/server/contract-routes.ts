import { isDeepStrictEqual } from 'node:util';
import {
  defineRoute,
  PluginAdministrationToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import {
  defineErrors,
  type JsonSchema,
  type PluginEntity,
  type PluginSettingsForm,
} from '@trellis/sdk/shared';
import { largestSettings } from './app-store-routes.ts';
import { pluginAccess } from './plugin-access.ts';

const contractErrors = defineErrors({
  INPUT_NOT_JSON: { status: 400, message: "'input' is not a JSON object." },
  PLUGIN_TEST_FAILED: { status: 400, message: '{reason}' },
});

interface UpdateBody {
  readonly input?: unknown;
  readonly active?: unknown;
}

interface TestBody {
  readonly title: string;
  readonly input?: unknown;
}

const anything: JsonSchema = {};

/** The plugin calls of the v1 API that published clients make. */
export function contractRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const plugins = pluginAccess(ctx);
  const told = (plugin: PluginEntity) => toContractPlugin(plugin, administration.settings(plugin.id));

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins',
      permission: 'pluginList',
      summary: 'List plugins in the shape of the v1 API',
      handle: () => Promise.resolve({ list: administration.list().map(told) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins/:id',
      permission: 'pluginRead',
      summary: 'A plugin with its settings in the shape of the v1 API; nothing for an unknown one',
      handle: (request) => {
        const plugin = administration.list().find(({ id }) => id === request.params.id);
        return Promise.resolve(plugin && told(plugin));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, UpdateBody>({
      method: 'PATCH',
      path: '/api/v1/db/meta/plugins/:id',
      permission: 'pluginUpdate',
      summary:
        'Store the settings of a plugin, given as JSON text, or forget them for null unless that switches it on, and switch it on or off',
      schemas: { body: { type: 'object', properties: { input: anything, active: anything } } },
      bodyLimit: largestSettings,
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        const { input, active } = request.body;
        const wanted = active === undefined ? undefined : Boolean(active);
        const turn = async () => {
          if (wanted === undefined || wanted === isActive(plugins.find(plugin.id))) return;
          if (wanted) await administration.enable(plugin.id);
          else await administration.disable(plugin.id, { cascade: [] });
          await plugins.record(request, wanted ? 'switched on' : 'switched off', plugin);
        };
        if (input === null) {
          // Once it is off, even what it needs can be forgotten.
          if (wanted === false) await turn();
          // Whoever puts a plugin into use knows of no settings of it, and asks for none to be forgotten.
          if (wanted !== true && plugin.hasSettings) {
            await administration.clearSettings(plugin.id);
            await plugins.record(request, 'cleared the settings of', plugin);
          }
        } else if (input !== undefined) {
          const values = parseInput(input);
          // Clients send back whole plugins, so what they send is a change only where it differs.
          if (!isDeepStrictEqual(values, administration.settings(plugin.id)?.values)) {
            await administration.saveSettings(plugin.id, values);
            await plugins.record(request, 'changed the settings of', plugin);
          }
        }
        await turn();
        return told(plugins.find(plugin.id));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TestBody>({
      method: 'POST',
      path: '/api/v1/db/meta/plugins/test',
      permission: 'pluginTest',
      summary: 'Try the settings of a plugin, named by its title',
      schemas: {
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string', maxLength: 255 }, category: anything, input: anything },
        },
      },
      bodyLimit: largestSettings,
      handle: async ({ body }) => {
        const plugin = administration.list().find(({ name }) => name === body.title);
        const { ok, message } = await administration.testSettings(
          plugins.find(plugin?.id ?? body.title).id,
          parseInput(body.input ?? {}),
        );
        if (!ok) throw contractErrors.create('PLUGIN_TEST_FAILED', { reason: message });
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins/:title/status',
      permission: 'isPluginActive',
      summary: 'Whether a plugin is on, by title; an unknown one is off',
      handle: (request) =>
        Promise.resolve(
          administration.list().some((of) => of.name === request.params.title && of.state === 'enabled'),
        ),
    }),
  ];
}

/** @throws TrellisError `INPUT_NOT_JSON`. */
function parseInput(input: unknown): Readonly<Record<string, unknown>> {
  let parsed = input;
  try {
    if (typeof input === 'string') parsed = JSON.parse(input);
  } catch (cause) {
    throw contractErrors.create('INPUT_NOT_JSON', {}, cause);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw contractErrors.create('INPUT_NOT_JSON');
  return parsed as Readonly<Record<string, unknown>>;
}

function isActive({ state }: PluginEntity): boolean {
  return state === 'enabled' || state === 'degraded';
}

function toContractPlugin(plugin: PluginEntity, form: PluginSettingsForm | undefined) {
  return {
    id: plugin.id,
    title: plugin.name,
    description: plugin.description,
    active: isActive(plugin),
    version: plugin.version,
    status: 'install',
    category: plugin.category,
    tags: plugin.category,
    input_schema: form ? JSON.stringify(toInputSchema(plugin.name, form)) : null,
    input: form ? JSON.stringify(form.values) : null,
  };
}

/** The flat list of fields that published clients know; what it cannot say is checked when it comes back. */
function toInputSchema(title: string, { schema, testable }: PluginSettingsForm) {
  const save = { label: 'Save', key: 'save', actionType: 'SUBMIT', type: 'Button' };
  const test = { label: 'Test', key: 'test', actionType: 'TEST', type: 'Button' };
  return {
    title,
    items: Object.entries(schema.properties ?? {}).map(([key, field]) => ({
      key,
      label: field.title ?? key,
      placeholder: field['x-ui']?.placeholder ?? field.title ?? key,
      type: inputTypeOf(field),
      required: schema.required?.includes(key) === true,
    })),
    actions: testable ? [test, save] : [save],
  };
}

function inputTypeOf({ type, format }: JsonSchema): string {
  if (format === 'secret') return 'Password';
  if (type === 'boolean') return 'Checkbox';
  return type === 'number' || type === 'integer' ? 'Number' : 'SingleLineText';
}
