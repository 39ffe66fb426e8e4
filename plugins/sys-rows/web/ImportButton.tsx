import { dataPath, type TaskEntity } from '@trellis/sdk/shared';
import {
  askBeforeLeaving,
  messageOfError,
  useHost,
  useRegistry,
  type ImportFormat,
  type ViewProps,
} from '@trellis/sdk/web';
import { rowRights } from '@trellis/sdk/web/rows';
import { MenuButton } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState } from 'react';

/** Adds a file's rows. With a single import format the file dialog opens at once; without any, nothing is drawn. */
export function ImportButton({ project, table }: ViewProps) {
  const host = useHost();
  const { t } = host;
  const formats = useRegistry('importFormats');
  const chooser = useRef<HTMLInputElement>(null);
  const chosen = useRef<ImportFormat>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => (isBusy ? askBeforeLeaving(undefined, 'page') : undefined), [isBusy]);

  function choose(format: ImportFormat) {
    if (isBusy || chooser.current === null) return;
    chosen.current = format;
    chooser.current.accept = format.extensions.map((extension) => `.${extension}`).join(',');
    chooser.current.click();
  }

  async function send(file: File, { id }: ImportFormat) {
    setBusy(true);
    try {
      await host.api.request<TaskEntity>({
        method: 'POST',
        path: dataPath(project.id, table.id, 'import', id),
        headers: { 'content-type': 'application/octet-stream' },
        body: file,
      });
      host.toast({
        severity: 'success',
        summary: t('The rows of {{file}} are being added', { file: file.name }),
        detail: t('They come into the table one after the other. Background tasks tell how far that is.'),
      });
    } catch (error) {
      const summary = t('{{file}} could not be imported', { file: file.name });
      host.toast({ severity: 'error', summary, detail: messageOfError(error, t) });
    } finally {
      setBusy(false);
    }
  }

  const [only] = formats;
  if (only === undefined || !rowRights(project, table).addMany) return null;
  const icon = <i className={isBusy ? 'pi pi-spin pi-spinner' : 'pi pi-upload'} aria-hidden="true" />;
  return (
    <>
      {formats.length === 1 ? (
        <button type="button" className="tr-tool" aria-disabled={isBusy} onClick={() => choose(only)}>
          {icon}
          <span>{t('Import')}</span>
        </button>
      ) : (
        <MenuButton
          label={t('Import')}
          menuLabel={t('Import rows from')}
          className="tr-tool"
          actions={formats.map((format) => ({
            id: format.id,
            label: host.hostOf(host.registry('importFormats').ownerOf(format.id) ?? 'host').t(format.label),
            icon: format.icon,
            disabled: isBusy,
            run: () => choose(format),
          }))}
        >
          {icon}
          <span>{t('Import')}</span>
        </MenuButton>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t('File to import')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined && chosen.current !== undefined) void send(file, chosen.current);
        }}
      />
    </>
  );
}
