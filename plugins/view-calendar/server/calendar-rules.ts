import { withFirstColumns, withShownColumn, type ViewType } from '@trellis/sdk/server';
import { Veto } from '@trellis/sdk/shared';
import { dayTypes, type CalendarOptions, type DateRange } from '../shared/index.ts';

/** Fields of a new calendar, beside the one that names the row and those of its dates. */
const firstFields = 3;

const idsOf = ({ fromId, toId }: DateRange) => (toId === undefined ? [fromId] : [fromId, toId]);

/** A calendar has a range of columns with dates, the first such column where nobody chose; it always shows them. */
export const checkCalendar: NonNullable<ViewType['willSave']> = (draft, { table, view, copyOf }) => {
  const dates = table.columns.filter(({ type, system }) => dayTypes.includes(type) && !system);
  const [chosen] = (draft.options as CalendarOptions).ranges;
  const range = chosen ?? (dates[0] && { fromId: dates[0].id });
  if (range === undefined) throw new Veto('CALENDAR_NO_COLUMN', 'A calendar view needs a column of dates.');
  const ids = idsOf(range);
  // A column that is gone or has another type since keeps the view from being drawn, not from being changed.
  const kept = ((view?.meta ?? {}) as Partial<CalendarOptions>).ranges?.flatMap(idsOf) ?? [];
  if (!ids.every((id) => kept.includes(id) || dates.some((date) => date.id === id)))
    throw new Veto('CALENDAR_COLUMN', 'Only columns of dates say where rows stand in a calendar view.');
  if (range.toId === range.fromId)
    throw new Veto(
      'CALENDAR_SAME_COLUMN',
      'A range needs two columns, one of its first and one of its last day.',
    );
  const isNew = view === undefined && copyOf === undefined;
  const shown = isNew ? withFirstColumns(draft, table, { count: firstFields, always: ids }) : draft;
  // A view reads the columns that it shows.
  const drawn = ids.reduce((before, id) => withShownColumn(before, id), shown);
  return { ...drawn, options: { ...draft.options, ranges: [range] } };
};
