import { useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import type { ViewColumnEntity } from '@trellis/sdk/shared';
import type { ReactNode } from 'react';
import { TableGrid } from './TableGrid.tsx';
import './grid-view.css';

/** The view type `grid`: reads which columns the view shows, and draws them. */
export default function GridView(props: ViewProps): ReactNode {
  const t = useT();
  const { view } = props;
  const columns = useServerData<readonly ViewColumnEntity[]>(
    { path: `/api/v1/db/meta/grids/${encodeURIComponent(view.id)}/grid-columns` },
    { tags: [`view:${view.id}`] },
  );
  if (columns.data !== undefined) return <TableGrid key={view.id} {...props} viewColumns={columns.data} />;
  if (columns.error === undefined) return <div className="gridview" aria-busy="true" />;
  return (
    <div className="gridview-notice" role="alert">
      <span>{t('The view could not be opened: {{reason}}', { reason: columns.error.message })}</span>
      <button type="button" onClick={() => columns.refetch()}>
        {t('Try again')}
      </button>
    </div>
  );
}
