import { BusToken, defineRoute, type RouteDefinition, type ServerPluginContext } from '@trellis/sdk/server';
import { mistakesObjectKind, type DevelopmentMistake } from '../shared/index.ts';

/** Begins the keys of what is kept, which go on with the plugin's id. */
const prefix = 'mistakes ';

/**
 * What authors' commands could not bring into service. It is kept until it is mended or somebody closes it, so that pages which are opened
 * later, and other servers of the same database, show it as well.
 */
export function developmentMistakes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const { kv } = ctx;
  const bus = ctx.get(BusToken);

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/dev/mistakes',
      permission: 'pluginInstall',
      summary: 'What is wrong with plugins that people work on',
      async handle() {
        const keys = await kv.keys(prefix);
        const list = await Promise.all(
          keys.toSorted().map(async (key) => ({ id: key.slice(prefix.length), mistakes: await kv.get(key) })),
        );
        // One that was mended in the meantime has none any more.
        return { list: list.filter(({ mistakes }) => mistakes !== undefined) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Partial<DevelopmentMistake>>({
      method: 'POST',
      path: '/api/v1/app-store/dev/mistakes',
      permission: 'pluginInstall',
      summary: 'Show what is wrong with a plugin that somebody works on, or take it away again',
      schemas: {
        body: {
          type: 'object',
          required: ['id'],
          additionalProperties: false,
          properties: {
            id: { type: 'string', maxLength: 100 },
            mistakes: { type: 'string', minLength: 1, maxLength: 4000 },
          },
        },
      },
      async handle({ id: requestId, body: { id = '', mistakes } }) {
        if (mistakes === undefined) await kv.delete(prefix + id);
        else await kv.set(prefix + id, mistakes);
        bus.publish('objects.changed', { projectId: '', objectKind: mistakesObjectKind, requestId });
        return {};
      },
    }),
  ];
}
