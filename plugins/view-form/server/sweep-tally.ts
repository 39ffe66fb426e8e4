import { AccessServiceToken, type ServerPluginContext } from '@trellis/sdk/server';
import { daysOfReturn, type FormsOf } from './forms-of.ts';
import type { CountedForm, Tally } from './tally.ts';

const day = 24 * 60 * 60 * 1000;

/** Forgets what is counted of forms that nothing brings back: those that went with their table, or with their project. */
export function createSweepTally(ctx: ServerPluginContext, tally: Tally, formsOf: FormsOf) {
  const access = ctx.get(AccessServiceToken);

  return async (signal: AbortSignal): Promise<void> => {
    const now = Date.now();
    const before = now - daysOfReturn * day;
    const counted = new Map<string | undefined, CountedForm[]>();
    for (const form of await tally.forms()) {
      const projectId = await access.locate('view', form.viewId);
      counted.set(projectId, [...(counted.get(projectId) ?? []), form]);
    }
    for (const [projectId, forms] of counted) {
      signal.throwIfAborted();
      const there = new Set((projectId === undefined ? [] : await formsOf(projectId)).map(({ id }) => id));
      const seen = forms.filter(({ viewId, seenAt }) => there.has(viewId) || seenAt === undefined);
      if (projectId !== undefined) await tally.see(seen, now);
      for (const { viewId, seenAt = now } of forms)
        // A server may still know the project of a form that is gone for good.
        if (!there.has(viewId) && (projectId === undefined || seenAt < before)) await tally.forget(viewId);
    }
  };
}
