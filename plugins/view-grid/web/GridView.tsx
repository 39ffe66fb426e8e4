import type { ViewProps } from '@trellis/sdk/web';
import { useViewColumns, ViewFailure } from '@trellis/sdk/web/views';
import type { ReactNode } from 'react';
import type { GridInSight } from './grid-in-sight.ts';
import { TableGrid } from './TableGrid.tsx';
import './grid-view.css';

interface GridViewProps extends ViewProps {
  /** Gets the grid that the page's commands apply to. */
  readonly inSight?: GridInSight;
}

/** The view type `grid`: reads the view's columns and draws them. */
export default function GridView({ inSight, ...props }: GridViewProps): ReactNode {
  const { view } = props;
  const inView = useViewColumns(props);
  const { columns, error, refetch } = inView;
  if (columns !== undefined) return <TableGrid key={view.id} {...props} {...{ inSight, inView }} />;
  if (error === undefined) return <div className="gridview" aria-busy="true" />;
  return <ViewFailure error={error} onRetry={refetch} />;
}
