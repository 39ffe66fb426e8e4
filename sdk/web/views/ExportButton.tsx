import { useState, type ReactNode } from 'react';
import type { ExportFormat } from '../extensions/export-formats.ts';
import { messageOfError } from '../attempt.ts';
import { useHost, useRegistry } from '../host.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';

/** The props of the download button. @public */
export interface ExportButtonProps {
  /** Loads the rows as a file of this format; an error is shown to the person. */
  download(format: ExportFormat): Promise<void>;
}

/** Downloads rows in one of the formats of plugins: at once if there is only one. Not drawn if there are none. @public */
export function ExportButton({ download }: ExportButtonProps): ReactNode {
  const host = useHost();
  const { sharedT: t } = host;
  const formats = useRegistry('exportFormats');
  const [isBusy, setBusy] = useState(false);
  const labelOf = ({ id, label }: ExportFormat): string =>
    host.hostOf(host.registry('exportFormats').ownerOf(id) ?? 'host').t(label);

  async function run(format: ExportFormat) {
    if (isBusy) return;
    setBusy(true);
    try {
      await download(format);
    } catch (error) {
      const summary = t('The rows could not be exported');
      host.toast({ severity: 'error', summary, detail: messageOfError(error, t) });
    } finally {
      setBusy(false);
    }
  }

  const icon = <i className={isBusy ? 'pi pi-spin pi-spinner' : 'pi pi-download'} aria-hidden="true" />;
  const [only] = formats;
  if (only === undefined) return null;
  if (formats.length === 1)
    return (
      <button type="button" className="tr-tool" aria-disabled={isBusy} onClick={() => void run(only)}>
        {icon}
        <span>{labelOf(only)}</span>
      </button>
    );
  return (
    <MenuButton
      label={t('Download')}
      menuLabel={t('Download as')}
      className="tr-tool"
      actions={formats.map((format) => ({
        id: format.id,
        label: labelOf(format),
        icon: format.icon,
        disabled: isBusy,
        run: () => void run(format),
      }))}
    >
      {icon}
      <span>{t('Download')}</span>
    </MenuButton>
  );
}
