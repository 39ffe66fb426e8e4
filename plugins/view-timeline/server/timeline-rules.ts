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
import type { TimelineOptions } from '../shared/index.ts';

const timelineErrors = defineErrors({
  TIMELINE_NO_COLUMN: { status: 400, message: 'A timeline needs a column of dates.' },
  TIMELINE_COLUMN: { status: 400, message: 'Only columns of dates say how long rows last in a timeline.' },
  TIMELINE_GROUP: {
    status: 400,
    message: 'Rows of a timeline stand together by a list of options or by people.',
  },
  TIMELINE_SAME_COLUMN: { status: 400, message: 'The first and the last day are two columns of dates.' },
});

/** Fields of a new timeline, beside the one that names the row and those that it is drawn by. */
const firstFields = 2;

/** A timeline has a column of first days. By default these are two date columns whose names form a range, else the first two. */
export const checkTimeline =
  (types: AskedReach['types']): NonNullable<ViewType['willSave']> =>
  (draft, { table, snapshot, view, copyOf }) => {
    const isNew = view === undefined && copyOf === undefined;
    const own = table.columns.filter(({ system }) => !system);
    const dated = datedColumns(own, { snapshot, types });
    const dates = dated.map(({ id }) => id);
    const groups = own.filter(({ type }) => types.get(type)?.stacks !== undefined).map(({ id }) => id);
    const wanted = draft.options as TimelineOptions;
    const chosen = isNew && wanted.fromId === '' ? { ...wanted, ...firstRange(dated) } : wanted;
    if (chosen.fromId === '') throw timelineErrors.create('TIMELINE_NO_COLUMN');
    const kept = (view?.meta ?? {}) as Partial<TimelineOptions>;
    // A deleted or converted column prevents drawing the view, but not changing it.
    const fits = (id: string, ids: readonly string[], former: string | undefined) =>
      id === '' || ids.includes(id) || id === former;
    if (!fits(chosen.fromId, dates, kept.fromId) || !fits(chosen.toId, dates, kept.toId))
      throw timelineErrors.create('TIMELINE_COLUMN');
    if (!fits(chosen.groupId, groups, kept.groupId)) throw timelineErrors.create('TIMELINE_GROUP');
    if (chosen.fromId === chosen.toId) throw timelineErrors.create('TIMELINE_SAME_COLUMN');
    const always = [chosen.fromId, chosen.toId, chosen.groupId].filter((id) => id !== '');
    const shown = isNew ? withFirstColumns(draft, table, { count: firstFields, always }) : draft;
    // A view reads the columns that it shows.
    const drawn = always.reduce((before, id) => withShownColumn(before, id), shown);
    return { ...drawn, options: chosen };
  };

/** Editable columns if possible, so that bars can be moved; otherwise computed ones. */
function firstRange(dated: readonly ColumnSchema[]): Pick<TimelineOptions, 'fromId' | 'toId'> {
  const written = dated.filter(({ storage }) => storage !== 'virtual');
  const usable = written.length > 0 ? written : dated;
  const [first, second] = usable;
  const { from, to } = namedRange(usable) ?? { from: first, to: second };
  return { fromId: from?.id ?? '', toId: to?.id ?? '' };
}
