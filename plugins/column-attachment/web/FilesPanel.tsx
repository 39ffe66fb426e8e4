import { useT, useVisitedView } from '@trellis/sdk/web';
import { moved, useFileDrop, useSortable, WorkButton } from '@trellis/sdk/web/ui';
import { lazy, Suspense, useId, useRef, useState, type ClipboardEvent } from 'react';
import type { AttachmentOptions } from '../shared/index.ts';
import { FileLine } from './FileLine.tsx';
import type { FileItems } from './use-file-items.ts';

const FilePreview = lazy(() => import('./FilePreview.tsx'));

export interface FilesPanelProps {
  readonly files: FileItems;
  readonly options: AttachmentOptions;
  readonly onDone?: (() => void) | undefined;
}

/**
 * A cell's files, and the ways to add more: choose, drop, paste, or enter an address. The panel's surroundings have its label, so
 * that screen readers say it once.
 */
export function FilesPanel({ files, options, onDone }: FilesPanelProps) {
  const t = useT();
  const { items } = files;
  const isStranger = useVisitedView() !== undefined;
  const [previewed, setPreviewed] = useState<number>();
  const { isOver, handlers } = useFileDrop(files.addFiles);
  const chooser = useRef<HTMLInputElement>(null);
  const sortable = useSortable(items.length, (from, to) => files.reorder((now) => moved(now, from, to)));
  const shown = items.flatMap((item) => (item.kind === 'file' ? [item.file] : []));

  const takePaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    files.addFiles(pasted);
  };
  return (
    <div role="presentation" className="ca-panel" data-over={isOver} {...handlers} onPaste={takePaste}>
      {items.length > 0 && (
        <ul className="ca-list" aria-label={t('Files')}>
          {items.map((item, index) => (
            <li key={item.key} className={`ca-line ca-line--${item.kind}`} {...sortable.row(index)}>
              <FileLine
                item={item}
                handle={sortable.handle(index)}
                onShow={
                  isStranger
                    ? undefined
                    : () => item.kind === 'file' && setPreviewed(shown.indexOf(item.file))
                }
                onRename={(title) => files.rename(item.key, title)}
                onRemove={() => files.remove(item.key)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="ca-ways">
        <button type="button" className="ca-choose" onClick={() => chooser.current?.click()}>
          <i className="pi pi-upload" aria-hidden="true" /> {t('Choose files')}
        </button>
        <span className="tr-note">{t('or drop or paste them here')}</span>
        <input
          ref={chooser}
          type="file"
          hidden
          multiple={options.maximumFiles !== 1}
          accept={options.accept === '' ? undefined : options.accept}
          aria-label={t('Choose files')}
          onChange={(event) => {
            files.addFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      {!isStranger && <AddressForm onAdd={files.addAddress} />}
      {onDone !== undefined && (
        <footer className="ca-foot">
          <WorkButton className="tr-link" isBusy={files.isBusy} onClick={onDone}>
            {files.isBusy ? t('Uploading …') : t('Done')}
          </WorkButton>
        </footer>
      )}
      {previewed !== undefined && (
        <Suspense fallback={null}>
          <FilePreview files={shown} start={previewed} onClose={() => setPreviewed(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function AddressForm({ onAdd }: { readonly onAdd: (url: string) => void }) {
  const t = useT();
  const id = useId();
  const [url, setUrl] = useState('');
  const add = () => {
    if (url.trim() === '') return;
    onAdd(url.trim());
    setUrl('');
  };
  return (
    <div className="ca-address">
      <label htmlFor={id} className="tr-note">
        {t('From a URL')}
      </label>
      <input
        id={id}
        className="p-inputtext p-component"
        type="url"
        placeholder="https://"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.stopPropagation();
          add();
        }}
      />
      <button type="button" className="ca-choose" disabled={url.trim() === ''} onClick={add}>
        {t('Fetch')}
      </button>
    </div>
  );
}
