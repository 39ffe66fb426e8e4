import { useEffect, useSyncExternalStore } from 'react';
import { showCell, useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { useRows, type RowData } from '@trellis/sdk/web/rows';
import { useViewColumns, useViewOptions, type ViewColumn } from '@trellis/sdk/web/views';
import './my-plugin.css';

/** The rows of the view as cards. They are kept true as others write. */
export function MyPluginView({ project, table, view }: ViewProps) {
  const t = useT();
  const { columns = [] } = useViewColumns({ table, view });
  const fields = columns.filter(({ inView }) => inView.show);
  // With the view's filters and sorts, and what somebody looks for in the toolbar.
  const { source } = useRows({ kind: 'view', project, table, view });
  const { most } = useViewOptions(view);
  const shown = Math.min(source.count ?? 0, Number(most));
  useSyncExternalStore(source.subscribe, () => source.version);
  // Asks for the rows that are about to be drawn; those that are there already cost nothing.
  useEffect(() => source.ensure(0, shown), [source, shown]);
  if (source.count === 0) return <p className="my-plugin-empty">{t('No rows yet.')}</p>;
  const rows = Array.from({ length: shown }, (_, at) => source.rowAt(at));
  return (
    <section className="my-plugin" aria-label={view.title}>
      {rows.map((row) => row && <Card key={row.key} row={row} fields={fields} />)}
    </section>
  );
}

/** Each value as its column's type writes it. */
function Card({ row, fields }: { readonly row: RowData; readonly fields: readonly ViewColumn[] }) {
  const types = useRegistry('columnTypes');
  return (
    <dl className="my-plugin-card">
      {fields.map(({ column }) => (
        <div key={column.id}>
          <dt>{column.title}</dt>
          <dd>
            {showCell(
              row.values[column.id],
              column,
              types.find(({ id }) => id === column.uidt),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
