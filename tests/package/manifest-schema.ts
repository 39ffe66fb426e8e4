import { type JsonSchema, manifestSchema } from '@trellis/core';
import {
  contributionComments,
  decisiveHookIds,
  manifestComments,
  registryIds,
} from '../build/sdk-reference.ts';

/**
 * The schema of `plugin.json` for editors: the host's schema with the keys' comments and the registries' names, so that editors can
 * complete them. The host's own formats are omitted, because editors do not know them.
 */
export function editorSchema(): object {
  const comments = manifestComments();
  const { contributes, settings, ...plain } = manifestSchema.properties ?? {};
  const described = Object.entries({ ...plain, settings, contributes: withRegistries(contributes) }).map(
    ([key, schema]) => [key, { description: comments.get(key) ?? '', ...schema }],
  );
  return {
    ...manifestSchema,
    properties: {
      ...Object.fromEntries(described),
      homepage: {
        description: comments.get('homepage'),
        ...manifestSchema.properties?.['homepage'],
        format: 'uri',
        pattern: '^https?://',
      },
      $schema: { type: 'string' },
      settings: {
        description: comments.get('settings'),
        allOf: [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }, settings],
      },
    },
  };
}

function withRegistries(contributes: JsonSchema | undefined): JsonSchema {
  const items = contributes?.additionalProperties;
  if (typeof items !== 'object') throw new Error("The manifest's schema describes no contributions.");
  const registries = registryIds()
    .filter((id) => id !== 'routes')
    .map((id) => [id, items]);
  const { hooks, ...plain } = contributes?.properties ?? {};
  const own: Readonly<Record<string, JsonSchema | undefined>> = {
    ...plain,
    // The product's hooks by name, and those that other plugins define.
    hooks: { ...hooks, items: { anyOf: [{ enum: decisiveHookIds() }, hooks?.items ?? {}] } },
    pages: items,
  };
  const comments = contributionComments();
  const described = Object.entries(own).map(([key, schema]) => [
    key,
    { description: comments.get(key) ?? '', ...schema },
  ]);
  return {
    ...contributes,
    properties: { ...Object.fromEntries(described), ...Object.fromEntries(registries) },
  };
}
