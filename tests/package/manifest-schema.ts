import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  capabilities,
  type Contribution,
  type JsonSchema,
  manifestSchema,
  type PluginManifest,
} from '@trellis/core';
import { storageKinds } from '../../sdk/shared/index.ts';
import {
  contributionComments,
  decisiveHookIds,
  manifestComments,
  registryComments,
  themeProperties,
} from '../build/sdk-reference.ts';
import { fieldSchema, settingsReference } from './settings-schema.ts';

// Jest and npm both start at the root; once bundled, this file's own address is in a cache.
const root = process.cwd();

type Schemas = Readonly<Record<string, object>>;

/**
 * The schema of `plugin.json` for editors: the host's schema with the keys' comments, and the words that the product knows, so that
 * editors can complete them. The host's own formats are omitted, because editors do not know them.
 */
export function editorSchema(): object {
  const plugins = productManifests();
  const comments = manifestComments();
  const { properties = {} } = manifestSchema;
  const { contributes, settings, engines, homepage } = properties;
  const own: Schemas = {
    ...properties,
    category: {
      anyOf: [
        { enum: [...new Set(plugins.map(({ category }) => category))].toSorted() },
        properties['category'],
      ],
    },
    icon: { anyOf: [{ enum: iconNames() }, properties['icon']] },
    homepage: { ...homepage, format: 'uri', pattern: '^https?://' },
    permissions: {
      ...properties['permissions'],
      items: { anyOf: [{ enum: capabilities }, properties['permissions']?.items] },
    },
    engines: {
      ...engines,
      properties: {
        trellis: {
          description: 'The versions of the product that the plugin runs in, such as "^1.0.0".',
          ...engines?.properties?.['trellis'],
        },
      },
    },
    settings: {
      allOf: [{ $ref: settingsReference }],
      required: settings?.required,
      properties: { type: { description: 'Settings are always an object.', const: 'object' } },
    },
    contributes: withRegistries(contributes, plugins),
    $schema: { type: 'string' },
  };
  return {
    ...manifestSchema,
    properties: described(own, comments),
    $defs: { field: fieldSchema(), themeProperty: { enum: themeProperties() } },
  };
}

function withRegistries(contributes: JsonSchema | undefined, plugins: readonly PluginManifest[]): object {
  const list = contributes?.additionalProperties;
  if (typeof list !== 'object') throw new Error("The manifest's schema describes no contributions.");
  const registries = registryComments();
  const types = plugins.flatMap(
    ({ contributes: of }) => (of?.['columnTypes'] ?? []) as readonly Contribution[],
  );
  const further: Readonly<Record<string, Schemas>> = {
    columnTypes: {
      storage: {
        description: 'How the database stores its values; the same as in its definition.',
        enum: storageKinds,
      },
      fallback: {
        description:
          'The column type that takes over its columns where the plugin is gone; the same as in its definition.',
        anyOf: [{ enum: types.map(({ id }) => id).toSorted() }, { type: 'string' }],
      },
    },
    pages: {
      shows: {
        description:
          'Registries whose items the page shows: plugins that announce items for them are loaded before the page is drawn.',
        type: 'array',
        items: { anyOf: [{ enum: [...registries.keys()].toSorted() }, { type: 'string' }] },
      },
    },
  };
  const itemsOf = (id: string): object => ({
    ...list,
    items: {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: { ...itemKeys(list.items?.properties?.['id']), ...further[id] },
    },
  });
  const { hooks, ...plain } = contributes?.properties ?? {};
  const ids = [...registries.keys()].filter((id) => id !== 'routes').toSorted();
  const all: Schemas = {
    ...plain,
    // The product's hooks by name, and those that other plugins define.
    hooks: { ...hooks, items: { anyOf: [{ enum: decisiveHookIds() }, hooks?.items ?? {}] } },
    pages: itemsOf('pages'),
    ...Object.fromEntries(ids.map((id) => [id, itemsOf(id)])),
  };
  const ofOthers = {
    ...list,
    items: { ...list.items, properties: itemKeys(list.items?.properties?.['id']) },
  };
  return {
    ...contributes,
    additionalProperties: ofOthers,
    properties: described(all, new Map([...registries, ...contributionComments()])),
  };
}

function itemKeys(id: JsonSchema | undefined): Schemas {
  return {
    id: {
      description: 'The id with which `setup` registers it; of a page, its address in the browser.',
      ...id,
    },
    label: { description: 'Its name for people, which they read before the plugin runs.', type: 'string' },
  };
}

function described(schemas: Schemas, comments: ReadonlyMap<string, string>): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [
      key,
      { description: comments.get(key) ?? '', ...schema },
    ]),
  );
}

function productManifests(): readonly PluginManifest[] {
  return readdirSync(join(root, 'plugins'))
    .filter((id) => !id.includes('.'))
    .map(
      (id) => JSON.parse(readFileSync(join(root, 'plugins', id, 'plugin.json'), 'utf8')) as PluginManifest,
    );
}

/** The names of primeicons, from its style sheet. */
function iconNames(): readonly string[] {
  const sheet = readFileSync(join(root, 'node_modules/primeicons/primeicons.css'), 'utf8');
  return [...sheet.matchAll(/^\.pi-([a-z0-9-]+):before/gm)].map(([, name = '']) => name).toSorted();
}
