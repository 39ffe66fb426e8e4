import type { MovedConditions } from '../../shared/index.ts';
import type { ServerPluginContext } from '../context.ts';
import type { PluginUnit } from '../plugin-database.ts';

/** Conditions of things that pause by themselves once a value that they test for is deleted. @beta */
export interface PausingHolder {
  /** Like `ConditionHolder.id`. */
  readonly id: string;
  /** Like `ConditionHolder.moved`; returns the ids of what it paused. */
  moved(unit: PluginUnit, moved: MovedConditions): Promise<readonly string[]>;
  /**
   * Reports what was paused, after the change of the column is committed. Also called for what is not paused after all, because the
   * change was rolled back.
   */
  tell(id: string): Promise<void>;
}

/** Registers such conditions in `conditionHolders`, and reports what a change of a column paused once that is visible. @beta */
export function holdPausing(ctx: ServerPluginContext, { id, moved, tell }: PausingHolder): void {
  /** Paused things that are not reported yet, by project. */
  const paused = new Map<string, Set<string>>();
  ctx.register('conditionHolders', {
    id,
    async moved(unit, conditions) {
      const { projectId } = conditions;
      const found = await moved(unit, conditions);
      if (found.length > 0) paused.set(projectId, new Set([...(paused.get(projectId) ?? []), ...found]));
    },
  });
  ctx.tap('schema.didChange', async ({ projectId }) => {
    const found = paused.get(projectId) ?? [];
    paused.delete(projectId);
    for (const one of found) await tell(one);
  });
}
