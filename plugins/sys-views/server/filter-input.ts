import type { FilterInput } from '@trellis/sdk/server';
import type { CellValue, JsonSchema, LogicalOp } from '@trellis/sdk/shared';

/** A filter as sent by clients; a group contains its filters. */
export interface FilterBody {
  /** The id of the saved filter, if the whole tree is sent. */
  readonly id?: string | null;
  readonly fk_column_id?: string | null;
  readonly fk_parent_id?: string | null;
  readonly logical_op?: string | null;
  readonly comparison_op?: string | null;
  readonly value?: CellValue;
  readonly is_group?: boolean | 0 | 1 | null;
  readonly order?: number | null;
  readonly children?: readonly FilterBody[] | null;
}

const id: JsonSchema = { type: ['string', 'null'], maxLength: 40 };

/** Deeper than a view allows, so that the store reports the limit. */
const deepest = 12;

/** The schema of a filter whose groups nest `levels` deep: each level is validated like the outermost one. */
function bodySchema(levels: number): JsonSchema {
  return {
    type: 'object',
    properties: {
      id,
      fk_column_id: id,
      fk_parent_id: id,
      logical_op: { type: ['string', 'null'], pattern: '^(?:[aA][nN][dD]|[oO][rR]|[nN][oO][tT])$' },
      comparison_op: { type: ['string', 'null'], maxLength: 40 },
      value: {},
      is_group: { enum: [true, false, 0, 1, null] },
      order: { type: ['number', 'null'] },
      children: {
        type: ['array', 'null'],
        ...(levels > 1 ? { maxItems: 100, items: bodySchema(levels - 1) } : { maxItems: 0 }),
      },
    },
  };
}

export const filterBodySchema = bodySchema(deepest);

/** All filters of a view, groups with theirs. */
export interface FilterTreeBody {
  readonly list: readonly FilterBody[];
  /** The filters as they were read: if others are saved now, nothing is written. */
  readonly replaces?: readonly FilterBody[];
}

const tree: JsonSchema = { type: 'array', maxItems: 100, items: bodySchema(deepest) };

export const filterTreeSchema: JsonSchema = {
  type: 'object',
  required: ['list'],
  properties: { list: tree, replaces: tree },
};

export function readFilter(body: FilterBody): FilterInput {
  return {
    ...(body.id && { id: body.id }),
    ...(body.fk_column_id && { columnId: body.fk_column_id }),
    ...(body.fk_parent_id && { parentId: body.fk_parent_id }),
    ...(body.logical_op && { logicalOp: body.logical_op.toLowerCase() as LogicalOp }),
    ...(body.comparison_op && { operator: body.comparison_op }),
    ...(body.value !== undefined && { value: body.value }),
    ...(body.is_group && { isGroup: true }),
    ...(typeof body.order === 'number' && { order: body.order }),
    ...(body.children && { children: body.children.map(readFilter) }),
  };
}
