import { defineViewType } from '@trellis/sdk/shared';

/** The columns that say when the row of an entry is. */
export interface KeptRange {
  readonly fromId: string;
  /** The column of the last day or moment; left out where entries are of one day. */
  readonly toId?: string;
}

/** What a calendar keeps of itself. */
export type CalendarOptions = {
  /** One range; none until the view is saved for the first time. */
  readonly ranges: readonly KeptRange[];
  /** The list of options in whose colours entries are; empty for none. */
  readonly colorId: string;
};

const id = { type: 'string', minLength: 1, maxLength: 40 } as const;

type Kept = Readonly<Record<string, unknown>>;

/** The ids of the columns of the dates. */
function datesOf({ ranges }: Kept): readonly string[] {
  const kept = Array.isArray(ranges) ? (ranges as readonly KeptRange[]) : [];
  return kept.flatMap(({ fromId, toId }) => (toId === undefined ? [fromId] : [fromId, toId]));
}

/** All columns that a calendar is drawn by. */
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
