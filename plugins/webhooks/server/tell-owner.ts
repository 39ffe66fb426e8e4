import {
  AccessServiceToken,
  SchemaStoreToken,
  tellPerson,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Hook } from './hook-store.ts';

/** Tells the person who made a webhook that it was paused. */
export function createTellOwner(ctx: ServerPluginContext) {
  return async ({ id, ownerId, projectId, tableId, settings, paused, failures }: Hook): Promise<void> => {
    const isSilent = failures > 0;
    const scope = ctx.get(AccessServiceToken).systemScope(projectId, 'webhooks');
    const { project, tables } = await ctx.get(SchemaStoreToken).snapshot(scope);
    const title = tables.get(tableId)?.title ?? tableId;
    await tellPerson(ctx, {
      accountId: ownerId,
      kind: 'webhook-paused',
      projectId,
      title: settings.title,
      ...(paused !== undefined && { reason: { msg: paused } }),
      actor: '',
      requestId: `webhook:${id}`,
      letter: {
        subject: `The webhook ${settings.title} is paused`,
        paragraphs: isSilent
          ? [
              `The receiver of the webhook ${settings.title} of the table ${title} in ${project.title} has not taken anything for about a day.`,
              `The last answer was: ${paused ?? ''}`,
              'Nothing is lost: what happened meanwhile waits, and is sent once the webhook is switched on again.',
            ]
          : [
              `The webhook ${settings.title} of the table ${title} in ${project.title} tells nobody any more.`,
              paused ?? '',
              'What waits for it stays, and is sent once the webhook is switched on again.',
            ],
      },
    });
  };
}
