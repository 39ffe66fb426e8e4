import type { MovedConditions } from '../../shared/index.ts';
import type { ServerPluginContext } from '../context.ts';
import type { PluginUnit } from '../plugin-database.ts';

/** Conditions of things that pause by themselves once a value is gone that they ask for. @beta */
export interface PausingHolder {
  /** As `ConditionHolder.id`. */
  readonly id: string;
  /** As `ConditionHolder.moved`; gives the ids of what it paused. */
  moved(unit: PluginUnit, moved: MovedConditions): Promise<readonly string[]>;
  /**
   * Tells of what was paused, after the change of the column is committed. Called, too, for what is not paused after all, since the change
   * was not taken.
   */
  tell(id: string): Promise<void>;
}

/** Registers such conditions in `conditionHolders`, and tells of what a change of a column paused once that is there to be seen. @beta */
export function holdPausing(ctx: ServerPluginContext, { id, moved, tell }: PausingHolder): void {
  /** What was paused and not told of yet, by project. */
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
