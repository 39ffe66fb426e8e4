import { isExpected, type Registry, type RegistryView } from '@trellis/core';
import type { ViewType } from '@trellis/sdk/server';
import { joinedOptions, partedOptions, type MovedConditions, type ViewAddition } from '@trellis/sdk/shared';
import { models } from '../../metadata/models/models.ts';
import type { ViewModel } from '../../metadata/models/view-model.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { Unit } from '../../sql/unit.ts';
import { isSameJson } from '../views/view-rules.ts';

type Options = Readonly<Record<string, unknown>>;

export interface MovedInViewsDependencies {
  readonly viewTypes: Registry<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
  readonly errors: PluginErrors;
}

/** Updates the options of views that name the values of a column. */
export type MoveInViews = (unit: Unit, moved: MovedConditions) => Promise<void>;

/** Plugins update their own options in views. Options of a plugin that is off or fails stay as they are. */
export function createMoveInViews({
  viewTypes,
  viewAdditions,
  errors,
}: MovedInViewsDependencies): MoveInViews {
  function movedMeta(meta: Options, moved: MovedConditions): Options {
    const { own, additions } = partedOptions(meta);
    const after = Object.entries(additions).map(([id, kept]) => {
      const next = viewAdditions.get(id)?.moved?.(kept as Options, moved);
      return [id, next ?? kept] as const;
    });
    return joinedOptions({ own, additions: Object.fromEntries(after) });
  }

  function movedOfColumn(typeId: string, options: Options, moved: MovedConditions): Options {
    try {
      return viewTypes.get(typeId)?.movedColumnOptions?.(options, moved) ?? options;
    } catch (error) {
      if (!isExpected(error)) errors.charge(viewTypes.subject(typeId), error);
      return options;
    }
  }

  async function moveColumns(unit: Unit, { type, columns = [] }: ViewModel, moved: MovedConditions) {
    const { ViewColumnModel } = await models();
    for (const { id, meta } of columns) {
      if (meta === null) continue;
      const after = movedOfColumn(type, meta, moved);
      if (isSameJson(after, meta)) continue;
      await ViewColumnModel.query(unit.knex).findById(id).patch({ meta: after, updated_at: Date.now() });
    }
  }

  return async function moveInViews(unit, moved) {
    const { ViewModel } = await models();
    const views = await ViewModel.query(unit.knex)
      .where({ table_id: moved.tableId })
      .withGraphFetched('columns');
    for (const view of views) {
      await moveColumns(unit, view, moved);
      if (view.meta === null) continue;
      const meta = movedMeta(view.meta, moved);
      if (isSameJson(meta, view.meta)) continue;
      await ViewModel.query(unit.knex).findById(view.id).patch({ meta, updated_at: Date.now() });
    }
  };
}
