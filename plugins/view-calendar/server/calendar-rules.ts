import {
  datedColumns,
  namedRange,
  withFirstColumns,
  withShownColumn,
  type AskedReach,
  type ColumnSchema,
  type ViewType,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import type { CalendarOptions, KeptRange } from '../shared/index.ts';

const calendarErrors = defineErrors({
  CALENDAR_NO_COLUMN: { status: 400, message: 'A calendar view needs a column of dates.' },
  CALENDAR_COLUMN: { status: 400, message: 'Only columns of dates say where rows stand in a calendar view.' },
  CALENDAR_SAME_COLUMN: {
    status: 400,
    message: 'A range needs two columns, one of its first and one of its last day.',
  },
  CALENDAR_COLOURS: {
    status: 400,
    message: 'Entries of a calendar take their colours from a list of options.',
  },
});

/** Fields of a new calendar, beside the one that names the row and those of its dates. */
const firstFields = 3;

const idsOf = ({ fromId, toId }: KeptRange) => (toId === undefined ? [fromId] : [fromId, toId]);

/**
 * A calendar has a range of date columns, which it always shows. By default these are two whose names form a range, else the first
 * such column.
 */
export const checkCalendar =
  (types: AskedReach['types']): NonNullable<ViewType['willSave']> =>
  (draft, { table, snapshot, view, copyOf }) => {
    const own = table.columns.filter(({ system }) => !system);
    const dates = datedColumns(own, { snapshot, types });
    const {
      ranges: [chosen],
      colorId = '',
    } = draft.options as Partial<CalendarOptions> & Pick<CalendarOptions, 'ranges'>;
    const range = chosen ?? firstRange(dates);
    if (range === undefined) throw calendarErrors.create('CALENDAR_NO_COLUMN');
    const ids = idsOf(range);
    // A deleted or converted column prevents drawing the view, but not changing it.
    const before = (view?.meta ?? {}) as Partial<CalendarOptions>;
    const kept = before.ranges?.flatMap(idsOf) ?? [];
    if (!ids.every((id) => kept.includes(id) || dates.some((date) => date.id === id)))
      throw calendarErrors.create('CALENDAR_COLUMN');
    if (range.toId === range.fromId) throw calendarErrors.create('CALENDAR_SAME_COLUMN');
    const isColor = own.some(({ id, type }) => id === colorId && types.get(type)?.stacks === 'options');
    if (colorId !== '' && colorId !== before.colorId && !isColor)
      throw calendarErrors.create('CALENDAR_COLOURS');
    const isNew = view === undefined && copyOf === undefined;
    const shown = isNew ? withFirstColumns(draft, table, { count: firstFields, always: ids }) : draft;
    // A view reads the columns that it shows.
    const needed = colorId === '' ? ids : [...ids, colorId];
    const drawn = needed.reduce((shownBefore, id) => withShownColumn(shownBefore, id), shown);
    return { ...drawn, options: { ...draft.options, ranges: [range] } };
  };

function firstRange(dates: readonly ColumnSchema[]): KeptRange | undefined {
  const [first] = dates;
  // Only editable columns, so that entries can be moved.
  const named = namedRange(dates.filter(({ storage }) => storage !== 'virtual'));
  if (named !== undefined) return { fromId: named.from.id, toId: named.to.id };
  return first && { fromId: first.id };
}
