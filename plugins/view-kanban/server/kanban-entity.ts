import type { ColumnSchema, FoundView, TableSchema } from '@trellis/sdk/server';
import { arrangedStacks, uncategorized, type StackArrangement, type StackPlace } from '../shared/index.ts';

type Options = Readonly<Record<string, unknown>>;

/** A stack in the form of the v1 API. */
interface StackEntity {
  readonly id: string;
  readonly title?: string | null;
  readonly order?: number;
  readonly collapsed?: boolean;
  readonly color?: string;
}

export interface KanbanBody {
  readonly fk_grp_col_id?: string | null;
  readonly fk_cover_image_col_id?: string | null;
  /** A map from column ids to lists of stacks, as an object or its JSON text; or options of ours. */
  readonly meta?: Options | string | null;
}

export const kanbanProperties = {
  fk_grp_col_id: { type: ['string', 'null'], maxLength: 40 },
  fk_cover_image_col_id: { type: ['string', 'null'], maxLength: 40 },
  meta: { type: ['object', 'string', 'null'], maxLength: 200_000 },
} as const;

const arrangementsIn = (options: Options) => (options.arrangements ?? []) as readonly StackArrangement[];

interface Choice {
  readonly id: string;
  readonly title: string | null;
  readonly color?: string;
}

/** The options of a column, the empty one first. */
function choicesOf({ meta }: ColumnSchema): readonly Choice[] {
  const options = (meta?.options ?? []) as readonly Choice[];
  return [{ id: uncategorized, title: null }, ...options];
}

/**
 * The stack of empty cells is first if the view has no place for it, as clients of the v1 API expect. The board places it first if
 * it has rows and last if it has none, which is not counted here.
 */
function stacksOf(column: ColumnSchema, places: readonly StackPlace[]): readonly StackEntity[] {
  return arrangedStacks(choicesOf(column), places).map(({ id, title, color, collapsed }, order) => ({
    id,
    title,
    order,
    collapsed: collapsed === true,
    ...(color !== undefined && { color }),
  }));
}

/** A kanban in the form of the v1 API. */
export function toKanbanEntity({ table, view }: FoundView): object {
  const options = view.meta ?? {};
  const stackedBy = table.columnById.get(String(options.stackedBy));
  const known = arrangementsIn(options).filter(({ columnId }) => columnId !== stackedBy?.id);
  const places = arrangementsIn(options).find(({ columnId }) => columnId === stackedBy?.id)?.stacks ?? [];
  const stacks = [
    ...known.flatMap(({ columnId, stacks: of }) => {
      const column = table.columnById.get(columnId);
      return column === undefined ? [] : [[columnId, stacksOf(column, of)]];
    }),
    ...(stackedBy === undefined ? [] : [[stackedBy.id, stacksOf(stackedBy, places)]]),
  ];
  return {
    fk_view_id: view.id,
    base_id: table.baseId,
    project_id: table.projectId,
    show: true,
    order: view.order,
    uuid: null,
    title: view.title,
    public: null,
    password: null,
    show_all_fields: null,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
    fk_grp_col_id: stackedBy?.id ?? null,
    fk_cover_image_col_id: options.coverId === '' ? null : (options.coverId ?? null),
    meta: JSON.stringify(Object.fromEntries(stacks)),
  };
}

/** The options in a body, merged over the saved ones. */
export function toKanbanOptions(
  { fk_grp_col_id: stackedBy, fk_cover_image_col_id: coverId, meta }: KanbanBody,
  saved: Options,
  table: TableSchema,
): Options {
  const sent = objectOf(meta);
  const [lists, own] = [true, false].map((isList) =>
    Object.entries(sent).filter(
      ([key, value]) => (Array.isArray(value) && table.columnById.has(key)) === isList,
    ),
  );
  const changed = new Map((lists ?? []).map(([columnId, stacks]) => [columnId, placesOf(stacks)]));
  const kept = arrangementsIn(saved).filter(({ columnId }) => !changed.has(columnId));
  return {
    ...saved,
    ...Object.fromEntries(own ?? []),
    ...(stackedBy && { stackedBy }),
    ...(coverId !== undefined && { coverId: coverId ?? '' }),
    ...(changed.size > 0 && {
      arrangements: [...kept, ...[...changed].map(([columnId, stacks]) => ({ columnId, stacks }))],
    }),
  };
}

function objectOf(meta: KanbanBody['meta']): Options {
  if (typeof meta !== 'string') return meta ?? {};
  try {
    const read: unknown = JSON.parse(meta);
    return typeof read === 'object' && read !== null ? (read as Options) : {};
  } catch {
    // A text that is no object contains no stacks.
    return {};
  }
}

function placesOf(stacks: unknown): readonly StackPlace[] {
  const isStack = (of: unknown): of is StackEntity =>
    typeof of === 'object' && of !== null && 'id' in of && typeof of.id === 'string';
  return (stacks as readonly unknown[])
    .filter(isStack)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ id, collapsed }) => ({ id, ...(collapsed === true && { collapsed }) }));
}
