import type { PluginDatabase, PluginUnit, ServerPluginContext } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

/** Whether a step did not run because the plugin of its channel is off: its run waits until the plugin is on again. */
export function isChannelOff(error: unknown): boolean {
  return error instanceof TrellisError && isWaitForChannel(error);
}

/** The same for a stored problem. */
export function isWaitForChannel({ code }: { readonly code?: string }): boolean {
  return code === 'CHANNEL_DISABLED';
}

/** Milliseconds until such a run checks by itself; usually it is woken earlier. */
export const lookForChannel = 10 * 60_000;

/** The runs that wait for a channel: only they have a problem and no attempts. */
export function waitingForChannel(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('run').where({ state: 'waiting', attempts: 0 }).whereNotNull('error');
}

/** Resumes runs that wait for a channel whenever channels are added, and once now: some may have been added before. */
export function followChannels(
  ctx: ServerPluginContext,
  { db, wake }: { readonly db: PluginDatabase; readonly wake: (automationIds: readonly string[]) => void },
): void {
  async function goOn(): Promise<void> {
    const held = await db.read((unit) =>
      unit.all<{ readonly rule_id: string }>(waitingForChannel(unit).distinct('rule_id')),
    );
    if (held.length === 0) return;
    await db.write((unit) => unit.run(waitingForChannel(unit).update({ next_at: 0 })));
    wake(held.map(({ rule_id: id }) => id));
  }

  const look = () =>
    void goOn().catch((error: unknown) =>
      ctx.logger.warn('Runs that wait for a channel were not looked for', { error }),
    );
  ctx.own(ctx.registry('notificationChannels').onDidChange(look));
  look();
}
