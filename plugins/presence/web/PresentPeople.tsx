import type { LiveSaying } from '@trellis/sdk/shared';
import { useSession, useT, type Translate, type ViewProps } from '@trellis/sdk/web';
import { useCellsInSight, type CellMark } from '@trellis/sdk/web/grid';
import { useEffect, useMemo, type CSSProperties, type ReactNode } from 'react';
import { colorOf } from './person-color.ts';
import { useOtherPages } from './use-present-people.ts';

/** Maximum number of drawn marks; the others are counted. */
const mostDrawn = 4;

type Sender = LiveSaying['from'];

/** The id of a person or, if the person is not known, of their page, which then counts as a separate person. */
function idOf({ id, userId }: Sender): string {
  return userId === '' ? id : userId;
}

/** Visitors have no name, and are not told members' names. */
function nameOf({ email, isVisitor }: Sender, t: Translate): string {
  if (email !== '') return email;
  return isVisitor === true ? t('Visitor') : t('Member');
}

/** Marks for other people at the table; the view frames their cells. */
export function PresentPeople({ table }: ViewProps): ReactNode {
  const t = useT();
  const { user } = useSession();
  const cells = useCellsInSight();
  const pages = useOtherPages(table);
  const others = useMemo(
    () => [...pages.values()].filter(({ from }) => from.userId !== user?.id),
    [pages, user?.id],
  );

  useEffect(() => {
    const marks = new Map<string, CellMark[]>();
    for (const { from, said } of others) {
      if (typeof said?.row !== 'string' || typeof said.column !== 'string') continue;
      const mark = { columnId: said.column, color: colorOf(idOf(from)), label: nameOf(from, t) };
      const ofRow = marks.get(said.row) ?? [];
      // Several pages of one person have a single mark.
      const isMarked = ofRow.some(
        ({ columnId, color, label }) =>
          columnId === mark.columnId && color === mark.color && label === mark.label,
      );
      if (!isMarked) marks.set(said.row, [...ofRow, mark]);
    }
    return marks.size === 0 ? undefined : cells?.mark(marks);
  }, [cells, others, t]);

  const people = [...new Map(others.map(({ from }) => [idOf(from), nameOf(from, t)]))];
  if (people.length === 0) return null;
  const rest = people.slice(mostDrawn).map(([, name]) => name);
  return (
    <ul
      className="presence"
      aria-label={t('{{count}} other people look at this table', {
        count: people.length,
        one: 'One other person looks at this table',
      })}
    >
      {people.slice(0, mostDrawn).map(([id, name]) => (
        <li key={id} style={{ '--presence-color': colorOf(id) } as CSSProperties}>
          <span role="img" aria-label={name} title={name}>
            {Array.from(name)[0]}
          </span>
        </li>
      ))}
      {rest.length > 0 && (
        <li className="presence-rest">
          <span role="img" aria-label={rest.join(', ')} title={rest.join('\n')}>
            +{rest.length}
          </span>
        </li>
      )}
    </ul>
  );
}
