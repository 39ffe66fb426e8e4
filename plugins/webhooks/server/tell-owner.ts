import { tellOwner, type ServerPluginContext } from '@trellis/sdk/server';
import type { Hook } from './hook-store.ts';

/** Tells the person who made a webhook that it was paused. */
export function tellPaused(
  ctx: ServerPluginContext,
  { id, ownerId, projectId, tableId, settings: { title }, paused, failures }: Hook,
): Promise<void> {
  const isSilent = failures > 0;
  return tellOwner(ctx, {
    ownerId,
    subject: `webhook:${id}`,
    kind: 'webhook-paused',
    projectId,
    title,
    ...(paused !== undefined && { reason: { msg: paused } }),
    letter({ project, tables }) {
      const table = tables.get(tableId)?.title ?? tableId;
      return {
        subject: `The webhook ${title} is paused`,
        paragraphs: isSilent
          ? [
              `The receiver of the webhook ${title} of the table ${table} in ${project.title} has not taken anything for about a day.`,
              `The last answer was: ${paused ?? ''}`,
              'Nothing is lost: what happened meanwhile waits, and is sent once the webhook is switched on again.',
            ]
          : [
              `The webhook ${title} of the table ${table} in ${project.title} tells nobody any more.`,
              paused ?? '',
              'What waits for it stays, and is sent once the webhook is switched on again.',
            ],
      };
    },
  });
}
