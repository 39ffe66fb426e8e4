import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { useState } from 'react';

/** Downloads the view as CSV: its fields, filters and sorts apply. */
export function CsvButton({ project, table, view }: ViewProps) {
  const host = useHost();
  const { t } = host;
  const [isBusy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    const place = [project.id, table.id].map(encodeURIComponent).join('/');
    try {
      await host.api.download(
        { path: `/api/v1/db/data/noco/${place}/views/${encodeURIComponent(view.id)}/export/csv` },
        `${table.title}.csv`,
      );
    } catch (error) {
      host.toast({
        severity: 'error',
        summary: t('The rows could not be exported'),
        detail: messageOfError(error, t),
      });
    } finally {
      setBusy(false);
    }
  }

  return (
    <button
      type="button"
      className="tr-tool"
      disabled={isBusy}
      title={t('Download CSV')}
      onClick={() => void download()}
    >
      <i className={isBusy ? 'pi pi-spin pi-spinner' : 'pi pi-download'} aria-hidden="true" />
      <span>{t('CSV')}</span>
    </button>
  );
}
