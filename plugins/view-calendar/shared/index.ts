import { defineViewType } from '@trellis/sdk/shared';

/** The columns with the dates of an entry. */
export interface KeptRange {
  readonly fromId: string;
  /** The column of the last day or moment; absent if entries are on one day. */
  readonly toId?: string;
}

/** The stored options of a calendar. */
export type CalendarOptions = {
  /** One range; none until the view is saved for the first time. */
  readonly ranges: readonly KeptRange[];
  /** The select column whose option colours the entries get; empty for none. */
  readonly colorId: string;
};

const id = { type: 'string', minLength: 1, maxLength: 40 } as const;

type Kept = Readonly<Record<string, unknown>>;

/** The ids of the date columns. */
function datesOf({ ranges }: Kept): readonly string[] {
  const kept = Array.isArray(ranges) ? (ranges as readonly KeptRange[]) : [];
  return kept.flatMap(({ fromId, toId }) => (toId === undefined ? [fromId] : [fromId, toId]));
}

/** All columns that a calendar needs. */
function columnsOf(options: Kept): readonly string[] {
  const { colorId } = options;
  return [...datesOf(options), ...(typeof colorId === 'string' && colorId !== '' ? [colorId] : [])];
}

/** The view type `calendar`. */
export const calendarView = defineViewType({
  id: 'calendar',
  label: 'Calendar',
  sharing: {
    visitors: 'read',
    word: 'calendar',
    needs: columnsOf,
    readsBy: datesOf,
    publicOptions: (options, isSeen) => ({
      ...options,
      colorId: isSeen(String(options.colorId)) ? options.colorId : '',
    }),
  },
  options: {
    type: 'object',
    properties: {
      ranges: {
        type: 'array',
        title: 'Dates',
        maxItems: 1,
        default: [],
        'x-ui': { hidden: true },
        items: { type: 'object', required: ['fromId'], properties: { fromId: id, toId: id } },
      },
      colorId: { type: 'string', title: 'Colours', maxLength: 40, default: '', 'x-ui': { hidden: true } },
    },
  },
});
