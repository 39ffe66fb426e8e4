import { tellOwner, type OwnerNotice, type ServerPluginContext } from '@trellis/sdk/server';
import type { Automation } from './automation-store.ts';
import { logPlace } from '../shared/notices.ts';
import { problemOf } from './automation-errors.ts';
import type { Run } from './run-store.ts';

type Problem = ReturnType<typeof problemOf>;

/** The common parts of all notices. */
const noticeOf = ({ id, owner, projectId, definition: { title } }: Automation, reason: Problem) => ({
  ownerId: owner.id,
  subject: `automation:${id}`,
  projectId,
  title,
  reason,
  opens: logPlace(id),
});

/** Tells the owner of an automation that it is paused. */
export function tellPaused(ctx: ServerPluginContext, automation: Automation, reason: unknown): Promise<void> {
  const { title } = automation.definition;
  const problem = problemOf(reason);
  const letter: OwnerNotice['letter'] = ({ project }) => ({
    subject: `The automation ${title} is paused`,
    paragraphs: [
      `The automation ${title} in ${project.title} begins no more runs.`,
      problem.msg,
      'It goes on once it is switched on again in the project.',
    ],
  });
  return tellOwner(ctx, { ...noticeOf(automation, problem), kind: 'automation-paused', letter });
}

/** Tells the owner of an automation that a set of rows did not start it: once a day, since the log has the others. */
export function tellSkipped(
  ctx: ServerPluginContext,
  automation: Automation,
  problem: Problem,
): Promise<void> {
  const { title } = automation.definition;
  return tellOwner(ctx, {
    ...noticeOf(automation, problem),
    kind: 'automation-skipped',
    about: aboutToday(automation),
    letter: ({ project }) => ({
      subject: `The automation ${title} was not started by a change`,
      paragraphs: [
        `A change of very many rows did not start the automation ${title} in ${project.title}.`,
        problem.msg,
        'Its log has a line for each of them. Of further ones of today you hear nothing.',
      ],
    }),
  });
}

/** Limits notices of one kind to one a day per owner. */
function aboutToday({ id }: Automation): string {
  return `${id}:${new Date().toISOString().slice(0, 10)}`;
}

/** Tells the owner of an automation that a run failed: once a day, since the log has the others. */
export function tellFailed(
  ctx: ServerPluginContext,
  { automation, run }: { readonly automation: Automation; readonly run: Pick<Run, 'id'> },
  problem: Problem,
): Promise<void> {
  const { title } = automation.definition;
  return tellOwner(ctx, {
    ...noticeOf(automation, problem),
    opens: logPlace(automation.id, run.id),
    kind: 'automation-failed',
    about: aboutToday(automation),
    letter: ({ project }) => ({
      subject: `A run of the automation ${title} failed`,
      paragraphs: [
        `A run of the automation ${title} in ${project.title} failed.`,
        problem.msg,
        'Its log has more, and lets the run go on. Of further failures of today you hear nothing.',
      ],
    }),
  });
}
