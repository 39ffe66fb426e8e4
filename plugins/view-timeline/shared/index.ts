import { defineViewType } from '@trellis/sdk/shared';

/** How many days are visible at a time. */
export const zooms = ['day', 'week', 'month', 'quarter'] as const;
export type Zoom = (typeof zooms)[number];

/** The stored options of a timeline. */
export type TimelineOptions = {
  /** The columns of the first and of the last day; `toId` is empty if all rows last `length` days. */
  readonly fromId: string;
  readonly toId: string;
  readonly length: number;
  /** The column that groups rows; empty for none. */
  readonly groupId: string;
  readonly zoom: Zoom;
};

const hidden = { 'x-ui': { hidden: true } } as const;
const id = { type: 'string', maxLength: 40, default: '', ...hidden } as const;

type Kept = Readonly<Record<string, unknown>>;
const idsIn = (options: Kept, names: readonly string[]) =>
  names
    .map((name) => options[name])
    .filter((value): value is string => typeof value === 'string' && value !== '');

/** The view type `timeline`. */
export const timelineView = defineViewType({
  id: 'timeline',
  label: 'Timeline',
  sharing: {
    visitors: 'read',
    word: 'view',
    needs: (options) => idsIn(options, ['fromId', 'toId', 'groupId']),
    readsBy: (options) => idsIn(options, ['fromId', 'toId']),
    publicOptions: (options, isSeen) => ({
      ...options,
      groupId: isSeen(String(options.groupId)) ? options.groupId : '',
    }),
  },
  options: {
    type: 'object',
    properties: {
      fromId: { ...id, title: 'First day' },
      toId: { ...id, title: 'Last day' },
      length: { type: 'integer', title: 'Days', minimum: 1, maximum: 3650, default: 1, ...hidden },
      groupId: { ...id, title: 'Groups' },
      zoom: { type: 'string', enum: [...zooms], title: 'Days in sight', default: 'week', ...hidden },
    },
  },
});
