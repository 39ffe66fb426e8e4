import type { PluginDatabase, PluginUnit, ServerPluginContext } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

/** Whether a step was not taken since the plugin of its channel is switched off: its run waits until the plugin is on again. */
export function isChannelOff(error: unknown): boolean {
  return error instanceof TrellisError && isWaitForChannel(error);
}

/** The same of a problem that is kept. */
export function isWaitForChannel({ code }: { readonly code?: string }): boolean {
  return code === 'CHANNEL_DISABLED';
}

/** Milliseconds until such a run looks by itself; mostly it is woken before. */
export const lookForChannel = 10 * 60_000;

/** The runs that wait for a channel: they alone have a problem, and no attempt behind them. */
export function waitingForChannel(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('run').where({ state: 'waiting', attempts: 0 }).whereNotNull('error');
}

/** Lets runs that wait for a channel go on whenever channels come, and once now: some may have come before. */
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
