import { defineViewAddition, type FilterNode, type JsonSchema } from '@trellis/sdk/shared';

/** Rows that meet its conditions get its colour, unless an earlier rule gives them another one. */
export type ColorRule = {
  readonly id: string;
  /** `#2d6fdb`. */
  readonly color: string;
  readonly filters: readonly FilterNode[];
};

/** How the rows of a view are coloured. */
export type ColorOptions = {
  readonly by: 'rules' | 'column';
  /** The whole row, or a stripe at its start. */
  readonly place: 'row' | 'stripe';
  /** The select column whose option colours the rows get; empty for none. */
  readonly columnId: string;
  readonly rules: readonly ColorRule[];
};

/** The most rules of one view. */
export const mostRules = 30;
/** The deepest nesting of groups, as in the filter editor, and the conditions in them. */
const deepestFilter = 4;

const columnId: JsonSchema = { type: 'string', maxLength: 40 };
const logicalOp: JsonSchema = { type: 'string', enum: ['and', 'or', 'not'] };
const id: JsonSchema = { type: 'string', maxLength: 60 };

function filterSchema(depth: number): JsonSchema {
  const condition: JsonSchema = {
    type: 'object',
    required: ['kind', 'logicalOp', 'columnId', 'operator'],
    properties: {
      kind: { const: 'condition' },
      id,
      logicalOp,
      columnId,
      operator: { type: 'string', minLength: 1, maxLength: 60, 'x-names': 'filterOperators' },
    },
  };
  if (depth === 0) return condition;
  const group: JsonSchema = {
    type: 'object',
    required: ['kind', 'logicalOp', 'children'],
    properties: {
      kind: { const: 'group' },
      id,
      logicalOp,
      children: { type: 'array', maxItems: 50, items: filterSchema(depth - 1) },
    },
  };
  return { anyOf: [condition, group] };
}

/** Whether filters only use visible columns. */
function asksOnly(filters: readonly FilterNode[], isSeen: (columnId: string) => boolean): boolean {
  return filters.every((node) =>
    node.kind === 'group' ? asksOnly(node.children, isSeen) : isSeen(node.columnId),
  );
}

/** The stored options for the colours of a view's rows. */
export const rowColors = defineViewAddition({
  id: 'row-colors',
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      by: { type: 'string', title: 'Colour by', enum: ['rules', 'column'], default: 'rules' },
      place: { type: 'string', title: 'What is coloured', enum: ['row', 'stripe'], default: 'row' },
      columnId: { ...columnId, title: 'Column', default: '' },
      rules: {
        type: 'array',
        title: 'Rules',
        maxItems: mostRules,
        default: [],
        items: {
          type: 'object',
          required: ['id', 'color', 'filters'],
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 40 },
            color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
            filters: { type: 'array', maxItems: 20, items: filterSchema(deepestFilter) },
          },
        },
      },
    },
  },
  told(kept, isSeen) {
    const options = colorOptions(kept);
    return {
      ...options,
      columnId: isSeen(options.columnId) ? options.columnId : '',
      rules: options.rules.filter(({ filters }) => asksOnly(filters, isSeen)),
    };
  },
  moved(kept, { filters }) {
    const { rules } = kept as Partial<ColorOptions>;
    return rules === undefined
      ? kept
      : { ...kept, rules: rules.map((rule) => ({ ...rule, filters: filters(rule.filters) })) };
  },
});

const none: ColorOptions = { by: 'rules', place: 'row', columnId: '', rules: [] };

/** The stored options, with defaults. */
export function colorOptions(kept: unknown): ColorOptions {
  return { ...none, ...(kept as Partial<ColorOptions> | undefined) };
}

/** The operators of conditions. */
export function operatorsIn(filters: readonly FilterNode[]): readonly string[] {
  return filters.flatMap((node) => (node.kind === 'group' ? operatorsIn(node.children) : [node.operator]));
}

/** The ids of the columns in conditions. */
export function columnsIn(filters: readonly FilterNode[]): readonly string[] {
  return filters.flatMap((node) => (node.kind === 'group' ? columnsIn(node.children) : [node.columnId]));
}
