import { useT, type ViewProps } from '@trellis/sdk/web';
import { Grid, useGridColumns } from '@trellis/sdk/web/grid';
import { useRows } from '@trellis/sdk/web/rows';
import { shownColumns, useViewColumns, ViewFailure } from '@trellis/sdk/web/views';
import { PageSkeleton } from '@trellis/sdk/web/ui';
import { Suspense, useMemo } from 'react';

/** Shows the rows of a view whose plugin is missing, read-only: its columns, filters and sorts apply. */
export function ViewRows({ project, table, view }: ViewProps) {
  const t = useT();
  const { columns: ofView, error, refetch } = useViewColumns({ table, view });
  const shown = useMemo(
    () =>
      shownColumns(
        table.columns ?? [],
        (ofView ?? []).map(({ inView }) => inView),
      ),
    [table.columns, ofView],
  );
  const columns = useGridColumns(shown);
  const { source } = useRows({ kind: 'view', project, table, view });
  if (ofView === undefined && error !== undefined) return <ViewFailure error={error} onRetry={refetch} />;
  if (ofView === undefined) return <PageSkeleton />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Grid
        readOnly
        label={t('View {{title}}', { title: view.title })}
        {...{ project, table, columns, source, t }}
      />
    </Suspense>
  );
}
