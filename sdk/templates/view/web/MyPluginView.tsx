import { useEffect, useSyncExternalStore } from 'react';
import { useT, type ViewProps } from '@trellis/sdk/web';
import { useRows } from '@trellis/sdk/web/rows';
import { useViewOptions } from '@trellis/sdk/web/views';
import './my-plugin.css';

/** The rows of the view as cards. They are kept true as others write. */
export function MyPluginView({ project, table, view }: ViewProps) {
  const t = useT();
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
      {rows.map(
        (row) =>
          row && (
            <article key={row.key} className="my-plugin-card">
              {Object.values(row.values).map(String).join(', ')}
            </article>
          ),
      )}
    </section>
  );
}
