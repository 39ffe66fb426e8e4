import { tellOwner, type ScheduledOutcome, type ServerPluginContext } from '@trellis/sdk/server';
import type { Schedule } from './schedule-store.ts';

export type TellOwner = (
  schedule: Schedule,
  what: 'failed' | 'paused',
  reason: ScheduledOutcome,
) => Promise<void>;

/** Tells the owner of a schedule that it failed or is paused: once a day for each, since the log has the others. Never rejects. */
export function createTellOwner(ctx: ServerPluginContext): TellOwner {
  return async ({ id, keptFor, projectId, owner, input: { title } }, what, reason) => {
    if (keptFor !== '') return;
    await tellOwner(ctx, {
      ownerId: owner.id,
      subject: `schedule:${id}`,
      kind: 'schedule-failed',
      projectId,
      title,
      reason,
      about: `${id}:${what}:${new Date().toISOString().slice(0, 10)}`,
      letter: ({ project }) =>
        what === 'failed'
          ? {
              subject: `The schedule ${title} failed`,
              paragraphs: [
                `A run of the schedule ${title} in ${project.title} failed.`,
                reason.msg,
                'Its log has more. Of further failures of today you hear nothing.',
              ],
            }
          : {
              subject: `The schedule ${title} stands still`,
              paragraphs: [
                `The schedule ${title} in ${project.title} does not run any more.`,
                reason.msg,
                'It goes on once somebody saves it in the project.',
              ],
            },
    });
  };
}
