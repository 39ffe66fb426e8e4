import { useHost, type ViewProps } from '@trellis/sdk/web';
import { ExportButton } from '@trellis/sdk/web/views';

/** Downloads the view as a file: its fields, filters and sorts apply. */
export function DownloadButton({ project, table, view }: ViewProps) {
  const { api } = useHost();
  const place = [project.id, table.id].map(encodeURIComponent).join('/');
  const path = `/api/v1/db/data/noco/${place}/views/${encodeURIComponent(view.id)}/export`;
  // A first view is called as its table is.
  const name = view.title === table.title ? table.title : `${table.title} ${view.title}`;
  return (
    <ExportButton
      download={({ id, extension }) => api.download({ path: `${path}/${id}` }, `${name}.${extension}`)}
    />
  );
}
