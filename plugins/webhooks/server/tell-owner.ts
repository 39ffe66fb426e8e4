import { AccessServiceToken, tellOwner, type ServerPluginContext } from '@trellis/sdk/server';
import type { Hook } from './hook-store.ts';
import { isOwnerLost } from './pause-codes.ts';

/** Tells the person who answers for a webhook that it was paused; where that is nobody any more, the owners of its project. */
export async function tellPaused(ctx: ServerPluginContext, hook: Hook): Promise<void> {
  const told = isOwnerLost(hook) ? await projectOwners(ctx, hook) : [hook.ownerId];
  for (const accountId of told) await tellOne(ctx, hook, accountId);
}

async function projectOwners(
  ctx: ServerPluginContext,
  { projectId }: Pick<Hook, 'projectId'>,
): Promise<readonly string[]> {
  const members = await ctx.get(AccessServiceToken).members(projectId);
  return members.flatMap(({ userId, role }) => (role === 'owner' ? [userId] : []));
}

function tellOne(
  ctx: ServerPluginContext,
  { id, projectId, tableId, settings: { title }, paused, failures }: Hook,
  accountId: string,
): Promise<void> {
  const isSilent = failures > 0 && !isOwnerLost({ paused });
  return tellOwner(ctx, {
    ownerId: accountId,
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
