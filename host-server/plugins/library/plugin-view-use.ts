import { namedItems, type JsonSchema, type PluginManifest, type RegistryView } from '@trellis/core';
import type { ViewType } from '@trellis/sdk/server';
import { partedOptions, type PluginViewUse, type ViewAddition } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import type { Unit } from '../../sql/unit.ts';

type Registry = PluginViewUse['registry'];
type Options = Readonly<Record<string, unknown>>;

/** Registries whose items are named in stored views, by their names in manifests. */
export const keptInViews: readonly Registry[] = ['aggregations', 'filterOperators', 'viewAdditions'];

export interface ViewUseDependencies {
  readonly database: Metadata['database'];
  readonly viewTypes: RegistryView<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
}

interface Kept {
  readonly viewId: string;
  readonly view: string;
  readonly type: string;
  readonly table: string;
  readonly project: string;
  readonly meta: string;
}

/**
 * Finds what views store of a plugin besides filters, as `x-names` in their types' schemas declares. Not searched are views in
 * the trash, or whose table or project is there, and views of a type that is off, whose options nobody can read.
 */
export function createViewUse({ database, viewTypes, viewAdditions }: ViewUseDependencies) {
  function namedByView({ type, meta }: Kept): readonly { readonly registry: string; readonly id: string }[] {
    const { own, additions } = partedOptions(JSON.parse(meta) as Options);
    return [
      ...named(viewTypes.get(type)?.options, own),
      ...Object.entries(additions).flatMap(([id, kept]) => [
        { registry: 'viewAdditions', id },
        ...named(viewAdditions.get(id)?.options, kept),
      ]),
    ];
  }

  return async ({ contributes }: Pick<PluginManifest, 'contributes'>): Promise<readonly PluginViewUse[]> => {
    const brought = new Map<string, Pick<PluginViewUse, 'registry' | 'id'>>(
      keptInViews.flatMap((registry) =>
        (contributes?.[registry] ?? []).map((item) => {
          const id = typeof item === 'string' ? item : item.id;
          return [`${registry} ${id}`, { registry, id }] as const;
        }),
      ),
    );
    if (brought.size === 0) return [];
    const [views, columns] = await database.read(async (unit) => [
      await unit.all<Kept>(ofLiveTables(unit).whereNotNull('view.meta').select({ meta: 'view.meta' })),
      await unit.all<Kept>(
        ofLiveTables(unit)
          .join('trellis_view_column as of', 'of.view_id', 'view.id')
          .whereNotNull('of.meta')
          .select({ meta: 'of.meta' }),
      ),
    ]);
    const uses = new Map<string, PluginViewUse>();
    const note = ({ viewId, view, table, project }: Kept, names: ReturnType<typeof namedByView>) => {
      for (const { registry, id } of names) {
        const item = brought.get(`${registry} ${id}`);
        if (item === undefined) continue;
        const key = `${registry} ${id} ${viewId}`;
        const count = (uses.get(key)?.count ?? 0) + 1;
        uses.set(key, { ...item, viewId, view, table, project, count });
      }
    };
    for (const kept of views) note(kept, namedByView(kept));
    for (const kept of columns)
      note(kept, named(viewTypes.get(kept.type)?.columnOptions, JSON.parse(kept.meta)));
    return [...uses.values()];
  };
}

function named(schema: JsonSchema | undefined, value: unknown) {
  return schema === undefined ? [] : namedItems(schema, value);
}

function ofLiveTables(unit: Unit) {
  return unit
    .knex('trellis_view as view')
    .join('trellis_table as at', 'at.id', 'view.table_id')
    .join('trellis_project as project', 'project.id', 'at.project_id')
    .whereNull('at.parked_at')
    .whereNull('project.deleted_at')
    .orderBy(['project.title', 'at.title', 'view.title'])
    .select({
      viewId: 'view.id',
      view: 'view.title',
      type: 'view.type',
      table: 'at.title',
      project: 'project.title',
    });
}
