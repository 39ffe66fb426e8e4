import { dataPath } from '@trellis/sdk/shared';
import { useHost, type ViewProps } from '@trellis/sdk/web';
import { ExportButton } from '@trellis/sdk/web/views';

/** Downloads the view as a file, with its fields, filters and sorts. */
export function DownloadButton({ project, table, view }: ViewProps) {
  const { api } = useHost();
  // A table's first view has the same title as the table.
  const name = view.title === table.title ? table.title : `${table.title} ${view.title}`;
  return (
    <ExportButton
      download={({ id, extension }) =>
        api.download(
          { path: dataPath(project.id, table.id, 'views', view.id, 'export', id) },
          `${name}.${extension}`,
        )
      }
    />
  );
}
