import { defineViewType, type FilterNode, type SelectOptions } from '@trellis/sdk/shared';
import { uncategorized, type StackArrangement, type StackPlace } from './stacks.ts';

export { arrangedStacks, uncategorized, type StackArrangement, type StackPlace } from './stacks.ts';

/** The stored options of a kanban. */
export type KanbanOptions = {
  /** The column whose values are the stacks. */
  readonly stackedBy?: string;
  readonly arrangements: readonly StackArrangement[];
  /** The column whose first picture is the cover; empty for none. */
  readonly coverId: string;
  readonly coverFit: 'cover' | 'contain';
  readonly showsNames: boolean;
  /** The aggregation over each stack besides the number of its rows: a column and a function; empty for none. */
  readonly figureColumnId: string;
  readonly figure: string;
};

const hidden = { hidden: true };
const id = { type: 'string', maxLength: 40, default: '', 'x-ui': hidden } as const;

/** The most stacks that a view arranges: as many as a column may have options, and the empty one. */
const mostStacks = 501;
/** The most columns whose stacks a view remembers. */
const mostArrangements = 10;

type Kept = Readonly<Record<string, unknown>>;
const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';
const stackedBy = (options: Kept): string => (isId(options.stackedBy) ? options.stackedBy : '');
const arrangementsIn = ({ arrangements }: Kept) =>
  Array.isArray(arrangements) ? (arrangements as readonly StackArrangement[]) : [];

/** Rows of hidden stacks are hidden from people who only see the view. */
function shownStacks(options: Kept, metaOf: (columnId: string) => Kept | undefined): readonly FilterNode[] {
  const columnId = stackedBy(options);
  const { stacks = [] } = arrangementsIn(options).find((each) => each.columnId === columnId) ?? {};
  const titles = new Map(
    ((metaOf(columnId) as Partial<SelectOptions> | undefined)?.options ?? []).map(({ id, title }) => [
      id,
      title,
    ]),
  );
  return stacks
    .filter(({ hidden: isHidden }) => isHidden === true)
    .map(({ id: stack }): FilterNode => {
      const one = (operator: string, value?: string): FilterNode => ({
        kind: 'condition',
        logicalOp: 'or',
        columnId,
        operator,
        value,
      });
      const children =
        stack === uncategorized ? [one('notnull')] : [one('neq', titles.get(stack) ?? stack), one('null')];
      return { kind: 'group', logicalOp: 'and', children };
    });
}

/** The options of the hidden stacks; the empty stack has none, and stays hidden by its place. */
function toldStacks(options: Kept) {
  const columnId = stackedBy(options);
  const isHidden = ({ id: stack, hidden: isOne }: StackPlace) => isOne === true && stack !== uncategorized;
  const arrangements = arrangementsIn(options);
  const places = arrangements.find((each) => each.columnId === columnId)?.stacks ?? [];
  return {
    hiddenIds: places.filter(isHidden).map(({ id: stack }) => stack),
    options: {
      ...options,
      arrangements: arrangements.map((each) => ({
        ...each,
        stacks: each.stacks.filter((place) => !isHidden(place)),
      })),
    },
  };
}

/** The view type `kanban`. */
export const kanbanView = defineViewType({
  id: 'kanban',
  label: 'Kanban',
  sharing: {
    visitors: 'read',
    word: 'kanban',
    needs: (options) => [stackedBy(options), options.coverId].filter(isId),
    readsBy: (options) => [stackedBy(options)].filter(isId),
    conditions: shownStacks,
    withoutHidden: toldStacks,
    // The stacks of a column with people are named by their addresses, and such a column is never visible by a link.
    publicOptions: (options, isSeen) => ({
      ...options,
      stackedBy: isSeen(stackedBy(options)) ? stackedBy(options) : '',
      arrangements: arrangementsIn(options).filter(({ columnId }) => isSeen(columnId)),
      ...(!isSeen(String(options.figureColumnId)) && { figureColumnId: '', figure: '' }),
    }),
  },
  options: {
    type: 'object',
    properties: {
      stackedBy: { type: 'string', title: 'Stacked by', maxLength: 40, 'x-ui': hidden },
      arrangements: {
        type: 'array',
        title: 'Stacks',
        maxItems: mostArrangements,
        default: [],
        'x-ui': hidden,
        items: {
          type: 'object',
          required: ['columnId', 'stacks'],
          properties: {
            columnId: { type: 'string', minLength: 1, maxLength: 40 },
            stacks: {
              type: 'array',
              maxItems: mostStacks,
              items: {
                type: 'object',
                required: ['id'],
                properties: {
                  id: { type: 'string', minLength: 1, maxLength: 255 },
                  collapsed: { type: 'boolean' },
                  hidden: { type: 'boolean' },
                },
              },
            },
          },
        },
      },
      coverId: { ...id, title: 'Cover' },
      coverFit: {
        type: 'string',
        title: 'Pictures',
        enum: ['cover', 'contain'],
        default: 'cover',
        'x-ui': hidden,
      },
      showsNames: { type: 'boolean', title: 'Names of fields', default: true, 'x-ui': hidden },
      figureColumnId: { ...id, title: 'Column of the summary' },
      figure: {
        type: 'string',
        title: 'Summary',
        maxLength: 100,
        default: '',
        'x-ui': hidden,
        'x-names': 'aggregations',
      },
    },
  },
});
