import {
  AccessServiceToken,
  SchemaStoreToken,
  tellPerson,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';
import type { Automation } from './automation-store.ts';
import { problemOf } from './automation-errors.ts';

/** Tells the owner of an automation that it is paused, or that a run of it failed. */
export function createTellOwner(ctx: ServerPluginContext) {
  async function tell(
    { id, owner, projectId, definition: { title } }: Automation,
    what: {
      readonly kind: 'automation-paused' | 'automation-failed';
      readonly problem: ReturnType<typeof problemOf>;
      readonly about?: string;
      readonly subject: string;
      readonly first: (project: string) => string;
      readonly last: string;
    },
  ): Promise<void> {
    const { kind, problem, about, subject, first, last } = what;
    const scope = ctx.get(AccessServiceToken).systemScope(projectId, 'automations');
    const { project } = await ctx.get(SchemaStoreToken).snapshot(scope);
    await tellPerson(ctx, {
      accountId: owner.id,
      kind,
      projectId,
      title,
      reason: problem,
      ...(about !== undefined && { about }),
      actor: '',
      requestId: `automation:${id}`,
      letter: { subject, paragraphs: [first(project.title), problem.msg, last] },
    });
  }

  return {
    paused: (automation: Automation, reason: TrellisError) =>
      tell(automation, {
        kind: 'automation-paused',
        problem: problemOf(reason),
        subject: `The automation ${automation.definition.title} is paused`,
        first: (project) =>
          `The automation ${automation.definition.title} in ${project} begins no more runs.`,
        last: 'It goes on once it is switched on again in the project.',
      }),
    /** Once a day of each automation: the log has the others. */
    failed: (automation: Automation, problem: ReturnType<typeof problemOf>) =>
      tell(automation, {
        kind: 'automation-failed',
        problem,
        about: `${automation.id}:${new Date().toISOString().slice(0, 10)}`,
        subject: `A run of the automation ${automation.definition.title} failed`,
        first: (project) => `A run of the automation ${automation.definition.title} in ${project} failed.`,
        last: 'Its log has more, and lets the run go on. Of further failures of today you hear nothing.',
      }),
  };
}
