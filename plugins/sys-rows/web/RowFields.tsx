import type { ColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useT } from '@trellis/sdk/web';
import { useViewColumns } from '@trellis/sdk/web/views';
import { useState, type ReactNode } from 'react';
import type { NewRowFields } from './new-row-fields.ts';
import type { RowRequest } from './panel-requests.ts';

interface RowFieldsProps {
  readonly request: RowRequest;
  readonly columns: readonly ColumnEntity[];
  /** Where the row is yet to be added. */
  readonly fresh: NewRowFields | undefined;
  /** Whether a field holds something that is not saved. */
  readonly holds: (columnId: string) => boolean;
  readonly draw: (column: ColumnEntity) => ReactNode;
}

/** The fields of a row in the order of its view, or of its table where no view is known; those that are not shown are folded away below. */
export function RowFields(props: RowFieldsProps) {
  const { view } = props.request;
  return view === undefined ? (
    <FieldsOfTable {...props} />
  ) : (
    <FieldsOfView {...props} request={{ ...props.request, view }} />
  );
}

function FieldsOfView({
  request,
  columns,
  fresh,
  holds,
  draw,
}: RowFieldsProps & { readonly request: RowRequest & { readonly view: NonNullable<RowRequest['view']> } }) {
  const t = useT();
  const { columns: ofView, error } = useViewColumns(request);
  // Drawn once their order is known, so that nothing jumps under what somebody begins to type.
  if (ofView === undefined && error === undefined) return null;
  const places = new Map(ofView?.map(({ column, inView }, at) => [column.id, { at, isShown: inView.show }]));
  const ordered = columns.toSorted((a, b) => (places.get(a.id)?.at ?? 1e9) - (places.get(b.id)?.at ?? 1e9));
  return (
    <Folded
      columns={ordered}
      fresh={fresh}
      holds={holds}
      isShown={({ id }) => places.get(id)?.isShown !== false}
      words={(count) =>
        t('{{count}} fields that the view hides', { count, one: 'One field that the view hides' })
      }
      draw={draw}
    />
  );
}

/** As a new view of the table would show them: without the columns of the system, and without keys for which a link stands. */
function FieldsOfTable({ request, columns, fresh, holds, draw }: RowFieldsProps) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const keysOfLinks = new Set(
    (request.table.columns ?? []).flatMap((column) =>
      column.system ? [] : (types.find(({ id }) => id === column.uidt)?.keptAnswers?.columnsOf(column) ?? []),
    ),
  );
  return (
    <Folded
      columns={columns}
      fresh={fresh}
      holds={holds}
      isShown={({ id, system }) => !system && !keysOfLinks.has(id)}
      words={(count) => t('{{count}} system fields', { count, one: 'One system field' })}
      draw={draw}
    />
  );
}

interface FoldedProps {
  readonly columns: readonly ColumnEntity[];
  readonly fresh: NewRowFields | undefined;
  readonly holds: (columnId: string) => boolean;
  readonly isShown: (column: ColumnEntity) => boolean;
  /** What those are called that are not shown. */
  readonly words: (count: number) => string;
  readonly draw: (column: ColumnEntity) => ReactNode;
}

/** The column that names the row comes first; what a new row needs is shown in any case, but not what it is asked for through another column. */
function Folded({ columns, fresh, holds, isShown, words, draw }: FoldedProps) {
  const wanted = (column: ColumnEntity) =>
    column.pv || fresh?.needs(column) === true || (isShown(column) && fresh?.through(column) === undefined);
  const [folded, setFolded] = useState<ReadonlySet<string>>(
    () => new Set(columns.filter((column) => !wanted(column)).map(({ id }) => id)),
  );
  // A field in which something is written stays where it stands: moved, it would be another one, and empty.
  const isDrawn = (column: ColumnEntity) => (holds(column.id) ? !folded.has(column.id) : wanted(column));
  const hidden = columns.filter((column) => !isDrawn(column));
  if (hidden.length !== folded.size || hidden.some(({ id }) => !folded.has(id)))
    setFolded(new Set(hidden.map(({ id }) => id)));
  return (
    <>
      {columns
        .filter(isDrawn)
        .toSorted((a, b) => Number(b.pv) - Number(a.pv))
        .map(draw)}
      {hidden.length > 0 && (
        <details className="rows-hidden">
          <summary>{words(hidden.length)}</summary>
          <div>{hidden.map(draw)}</div>
        </details>
      )}
    </>
  );
}
