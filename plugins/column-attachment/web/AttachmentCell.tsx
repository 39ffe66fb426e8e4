import { useT, type CellProps } from '@trellis/sdk/web';
import { lazy, Suspense, useState } from 'react';
import { filesOf, type AttachmentOptions } from '../shared/index.ts';
import { FileThumb } from './FileThumb.tsx';

const FilePreview = lazy(() => import('./FilePreview.tsx'));

/** More are not drawn, because no cell is that wide. */
const mostDrawn = 20;

/** The files side by side; a press on one opens its preview. */
export function AttachmentCell({ value, selected, onChange }: CellProps<string, AttachmentOptions>) {
  const t = useT();
  const [previewed, setPreviewed] = useState<number>();
  const files = filesOf(value);
  if (files.length === 0) {
    // A value from the database that is not a list of files stays visible.
    if (value !== null) return <span className="ca-raw">{String(value)}</span>;
    return selected && onChange !== undefined ? (
      <span className="ca-hint">{t('Drop files or press Enter')}</span>
    ) : null;
  }
  return (
    <span className="ca-files">
      {files.slice(0, mostDrawn).map((file, index) => (
        <button
          key={`${index} ${file.url}`}
          type="button"
          className="ca-thumb"
          tabIndex={-1}
          title={file.title}
          aria-label={t('Show “{{title}}”', { title: file.title })}
          onClick={(event) => {
            event.stopPropagation();
            setPreviewed(index);
          }}
        >
          <FileThumb file={file} size="small" />
        </button>
      ))}
      {files.length > mostDrawn && <span className="ca-more">+{files.length - mostDrawn}</span>}
      {previewed !== undefined && (
        <Suspense fallback={null}>
          <FilePreview files={files} start={previewed} onClose={() => setPreviewed(undefined)} />
        </Suspense>
      )}
    </span>
  );
}
