import type { ColumnEntity } from '@trellis/sdk/shared';
import { needsValue, useT } from '@trellis/sdk/web';
import { useViewColumns } from '@trellis/sdk/web/views';
import type { ReactNode } from 'react';
import type { RowRequest } from './panel-requests.ts';

interface RowFieldsProps {
  readonly request: RowRequest & { readonly view: NonNullable<RowRequest['view']> };
  readonly columns: readonly ColumnEntity[];
  readonly draw: (column: ColumnEntity) => ReactNode;
}

/** The fields of a row in the order of its view; those that the view hides are folded away below. */
export function RowFields({ request, columns, draw }: RowFieldsProps) {
  const t = useT();
  const { columns: ofView, error } = useViewColumns(request);
  // Drawn once their order is known, so that nothing jumps under what somebody begins to type.
  if (ofView === undefined && error === undefined) return null;
  const places = new Map(ofView?.map(({ column, inView }, at) => [column.id, { at, isShown: inView.show }]));
  const ordered = columns.toSorted(
    (a, b) => Number(b.pv) - Number(a.pv) || (places.get(a.id)?.at ?? 1e9) - (places.get(b.id)?.at ?? 1e9),
  );
  const isNew = request.rowKey === undefined;
  const isShown = (column: ColumnEntity): boolean =>
    column.pv || places.get(column.id)?.isShown !== false || (isNew && needsValue(column));
  const hidden = ordered.filter((column) => !isShown(column));
  return (
    <>
      {ordered.filter(isShown).map(draw)}
      {hidden.length > 0 && (
        <details className="rows-hidden">
          <summary>
            {t('{{count}} fields that the view hides', {
              count: hidden.length,
              one: 'One field that the view hides',
            })}
          </summary>
          <div>{hidden.map(draw)}</div>
        </details>
      )}
    </>
  );
}
