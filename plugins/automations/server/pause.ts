import {
  AccessServiceToken,
  AccountStoreToken,
  LettersToken,
  SchemaStoreToken,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';
import { problemOf } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import type { TellPage } from './tell-page.ts';

export type Pause = (automation: Automation, reason: TrellisError) => Promise<void>;

/** Keeps why an automation begins no run any more, and writes to its owner, where this server sends mail. */
export function createPause(
  ctx: ServerPluginContext,
  deps: { readonly automations: AutomationStore; readonly tellPage: TellPage },
): Pause {
  async function write({ owner, projectId, definition }: Automation, reason: TrellisError): Promise<void> {
    const letters = ctx.find(LettersToken);
    const account = await ctx.get(AccountStoreToken).byId(owner.id);
    if (letters === undefined || !letters.canSend() || account === undefined || account.isDisabled) return;
    const scope = ctx.get(AccessServiceToken).systemScope(projectId, 'automations');
    const { project } = await ctx.get(SchemaStoreToken).snapshot(scope);
    await letters.send({
      to: account.email,
      subject: `The automation ${definition.title} is paused`,
      paragraphs: [
        `The automation ${definition.title} in ${project.title} begins no more runs.`,
        reason.message,
        'It goes on once it is switched on again in the project.',
      ],
    });
  }

  return async (automation, reason) => {
    const changed = await deps.automations.change(automation.id, ({ paused }) => ({
      paused: paused ?? problemOf(reason),
    }));
    if (changed === undefined) return;
    deps.tellPage(automation.projectId);
    if (automation.paused !== undefined || changed.paused?.code !== reason.code) return;
    await write(changed, reason).catch((error: unknown) =>
      ctx.logger.warn('The owner of a paused automation was not told', { error }),
    );
  };
}
