import {
  datedColumns,
  namedRange,
  withFirstColumns,
  withShownColumn,
  type AskedReach,
  type ColumnSchema,
  type ViewType,
} from '@trellis/sdk/server';
import { Veto } from '@trellis/sdk/shared';
import type { TimelineOptions } from '../shared/index.ts';

/** Visible fields of a new timeline, besides the display column and the columns that it needs. */
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
    if (chosen.fromId === '') throw new Veto('TIMELINE_NO_COLUMN', 'A timeline needs a column of dates.');
    const kept = (view?.meta ?? {}) as Partial<TimelineOptions>;
    // A deleted or converted column prevents drawing the view, but not changing it.
    const fits = (id: string, ids: readonly string[], former: string | undefined) =>
      id === '' || ids.includes(id) || id === former;
    if (!fits(chosen.fromId, dates, kept.fromId) || !fits(chosen.toId, dates, kept.toId))
      throw new Veto('TIMELINE_COLUMN', 'Only columns of dates say how long rows last in a timeline.');
    if (!fits(chosen.groupId, groups, kept.groupId))
      throw new Veto(
        'TIMELINE_GROUP',
        'Rows of a timeline stand together by a list of options or by people.',
      );
    if (chosen.fromId === chosen.toId)
      throw new Veto('TIMELINE_SAME_COLUMN', 'The first and the last day are two columns of dates.');
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
