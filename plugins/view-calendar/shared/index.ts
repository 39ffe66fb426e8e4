import { defineViewType } from '@trellis/sdk/shared';

/** The columns that say when the row of an entry is. */
export interface DateRange {
  readonly fromId: string;
  /** The column of the last day; left out where entries are of one day. */
  readonly toId?: string;
}

/** What a calendar keeps of itself. */
export type CalendarOptions = {
  /** One range; none until the view is saved for the first time. */
  readonly ranges: readonly DateRange[];
};

/** The column types whose values are days. */
export const dayTypes: readonly string[] = ['Date'];

const id = { type: 'string', minLength: 1, maxLength: 40 } as const;

/** The ids of the columns of the dates. */
function datesOf({ ranges }: Readonly<Record<string, unknown>>): readonly string[] {
  const kept = Array.isArray(ranges) ? (ranges as readonly DateRange[]) : [];
  return kept.flatMap(({ fromId, toId }) => (toId === undefined ? [fromId] : [fromId, toId]));
}

/** The view type `calendar`. */
export const calendarView = defineViewType({
  id: 'calendar',
  label: 'Calendar',
  sharing: {
    visitors: 'read',
    word: 'calendar',
    needs: datesOf,
    readsBy: datesOf,
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
    },
  },
});
