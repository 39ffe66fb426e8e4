import { AccessServiceToken, type ServerPluginContext } from '@trellis/sdk/server';
import { daysOfReturn, type FormsOf } from './forms-of.ts';
import type { CountedForm, Tally } from './tally.ts';

const day = 24 * 60 * 60 * 1000;

/** Deletes the counts of forms that cannot be restored, since their table or project was deleted permanently. */
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
        // A server may still know the project of a permanently deleted form.
        if (!there.has(viewId) && (projectId === undefined || seenAt < before)) await tally.forget(viewId);
    }
  };
}
