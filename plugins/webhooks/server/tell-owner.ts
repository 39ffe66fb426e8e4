import {
  AccountStoreToken,
  LettersToken,
  SchemaStoreToken,
  AccessServiceToken,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Hook } from './hook-store.ts';

/** Writes to the person who made a webhook that it was paused, where this server sends mail. */
export function createTellOwner(ctx: ServerPluginContext) {
  return async ({ ownerId, projectId, tableId, settings, paused, failures }: Hook): Promise<void> => {
    const isSilent = failures > 0;
    const letters = ctx.find(LettersToken);
    const owner = await ctx.get(AccountStoreToken).byId(ownerId);
    if (letters === undefined || !letters.canSend() || owner === undefined || owner.isDisabled) return;
    const scope = ctx.get(AccessServiceToken).systemScope(projectId, 'webhooks');
    const { project, tables } = await ctx.get(SchemaStoreToken).snapshot(scope);
    const title = tables.get(tableId)?.title ?? tableId;
    await letters.send({
      to: owner.email,
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
    });
  };
}
