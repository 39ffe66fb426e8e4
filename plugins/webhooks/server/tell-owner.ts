import { AccessServiceToken, tellOwner, type ServerPluginContext } from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';
import type { Hook } from './hook-store.ts';
import { hookParam } from '../shared/notices.ts';
import { isOwnerLost, isUnjudged, pauseCodeOf } from './pause-codes.ts';

/** What is kept for a webhook that is paused: a setting. */
export interface WaitingLimits {
  readonly keptWaiting: number;
  readonly waitingDays: number;
}

/**
 * Tells the owner of a webhook that it was paused; if it has no valid owner, tells the owners of its project. A person whose API
 * token expired may still be a member.
 */
export async function tellPaused(ctx: ServerPluginContext<WaitingLimits>, hook: Hook): Promise<void> {
  const { id } = hook.owner;
  const isTheirs = !isOwnerLost(hook) || pauseCodeOf(hook.paused) === 'HOOK_OWNER_TOKEN';
  const others = isOwnerLost(hook) ? await projectOwners(ctx, hook) : [];
  const told = new Set(isTheirs ? [id, ...others] : others);
  for (const accountId of told) await tellOne(ctx, hook, accountId);
}

/** Tells the owner of a webhook that a set of rows was not reported: once a day, since the log has the others. */
export function tellSkipped(
  ctx: ServerPluginContext<WaitingLimits>,
  { id, owner, projectId, tableId, settings: { title } }: Hook,
  { message: msg, code, params }: TrellisError,
): Promise<void> {
  return tellOwner(ctx, {
    ownerId: owner.id,
    subject: `webhook:${id}`,
    kind: 'webhook-skipped',
    about: `${id}:${new Date().toISOString().slice(0, 10)}`,
    projectId,
    tableId,
    opens: id,
    title,
    reason: { msg, code, params },
    letter({ project, tables }) {
      const table = tables.get(tableId)?.title ?? tableId;
      return {
        subject: `The webhook ${title} was not told of a change`,
        paragraphs: [
          `The webhook ${title} of the table ${table} in ${project.title} told nobody of a change.`,
          msg,
          'Its log has a line for each of them. Of further ones of today you hear nothing.',
        ],
        action: actionOf({ id, projectId, tableId }, table),
      };
    },
  });
}

/** The button of a mail that opens the webhook. */
function actionOf({ id, projectId, tableId }: Pick<Hook, 'id' | 'projectId' | 'tableId'>, table: string) {
  const query = new URLSearchParams({ name: table, dbalias: tableId, type: 'table', [hookParam]: id });
  return {
    label: 'Open the webhook',
    path: `/nc/${encodeURIComponent(projectId)}?${query.toString()}`,
  };
}

async function projectOwners(
  ctx: ServerPluginContext<WaitingLimits>,
  { projectId }: Pick<Hook, 'projectId'>,
): Promise<readonly string[]> {
  const members = await ctx.get(AccessServiceToken).members(projectId);
  return members.flatMap(({ userId, role }) => (role === 'owner' ? [userId] : []));
}

function tellOne(
  ctx: ServerPluginContext<WaitingLimits>,
  { id, projectId, tableId, settings: { title }, paused, failures }: Hook,
  accountId: string,
): Promise<void> {
  const { keptWaiting, waitingDays } = ctx.settings.current;
  const waits = isUnjudged({ paused })
    ? 'What happens meanwhile is not kept, since nobody knows whether the webhook means it. The list of webhooks says how many changes that were.'
    : `What happens meanwhile waits, up to ${keptWaiting} events and each for ${waitingDays} days at the most, and is sent once the webhook is switched on again.`;
  const isSilent = failures > 0 && !isOwnerLost({ paused });
  return tellOwner(ctx, {
    ownerId: accountId,
    subject: `webhook:${id}`,
    kind: 'webhook-paused',
    projectId,
    tableId,
    opens: id,
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
              waits,
            ]
          : [
              `The webhook ${title} of the table ${table} in ${project.title} tells nobody any more.`,
              paused ?? '',
              waits,
            ],
        action: actionOf({ id, projectId, tableId }, table),
      };
    },
  });
}
