import {
  datedColumns,
  withFirstColumns,
  withShownColumn,
  type AskedReach,
  type ViewType,
} from '@trellis/sdk/server';
import { Veto } from '@trellis/sdk/shared';
import type { CalendarOptions, KeptRange } from '../shared/index.ts';

/** Fields of a new calendar, beside the one that names the row and those of its dates. */
const firstFields = 3;

const idsOf = ({ fromId, toId }: KeptRange) => (toId === undefined ? [fromId] : [fromId, toId]);

/** A calendar has a range of columns with dates, the first such column where nobody chose; it always shows them. */
export const checkCalendar =
  (types: AskedReach['types']): NonNullable<ViewType['willSave']> =>
  (draft, { table, snapshot, view, copyOf }) => {
    const own = table.columns.filter(({ system }) => !system);
    const dates = datedColumns(own, { snapshot, types });
    const {
      ranges: [chosen],
      colorId = '',
    } = draft.options as Partial<CalendarOptions> & Pick<CalendarOptions, 'ranges'>;
    const range = chosen ?? (dates[0] && { fromId: dates[0].id });
    if (range === undefined) throw new Veto('CALENDAR_NO_COLUMN', 'A calendar view needs a column of dates.');
    const ids = idsOf(range);
    // A column that is gone or has another type since keeps the view from being drawn, not from being changed.
    const before = (view?.meta ?? {}) as Partial<CalendarOptions>;
    const kept = before.ranges?.flatMap(idsOf) ?? [];
    if (!ids.every((id) => kept.includes(id) || dates.some((date) => date.id === id)))
      throw new Veto('CALENDAR_COLUMN', 'Only columns of dates say where rows stand in a calendar view.');
    if (range.toId === range.fromId)
      throw new Veto(
        'CALENDAR_SAME_COLUMN',
        'A range needs two columns, one of its first and one of its last day.',
      );
    const isColor = own.some(({ id, type }) => id === colorId && types.get(type)?.stacks === 'options');
    if (colorId !== '' && colorId !== before.colorId && !isColor)
      throw new Veto('CALENDAR_COLOURS', 'Entries of a calendar take their colours from a list of options.');
    const isNew = view === undefined && copyOf === undefined;
    const shown = isNew ? withFirstColumns(draft, table, { count: firstFields, always: ids }) : draft;
    // A view reads the columns that it shows.
    const needed = colorId === '' ? ids : [...ids, colorId];
    const drawn = needed.reduce((shownBefore, id) => withShownColumn(shownBefore, id), shown);
    return { ...drawn, options: { ...draft.options, ranges: [range] } };
  };
