import { useT, sizeText } from '@trellis/sdk/web';
import { Grip, Progress, type GripProps } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { tidyTitle } from '../shared/index.ts';
import { FileThumb } from './FileThumb.tsx';
import { hrefOf, iconName, isLink } from './file-links.ts';
import type { FileItem } from './use-file-items.ts';

export interface FileLineProps {
  readonly item: FileItem;
  /** The handle that moves the line; see `useSortable`. */
  readonly handle: GripProps['handle'];
  /** Undefined if the file cannot be read: somebody without an account sent it with an answer. */
  readonly onShow: (() => void) | undefined;
  readonly onRename: (title: string) => void;
  readonly onRemove: () => void;
}

/** One file in the editor: its picture, its name, and its actions. */
export function FileLine({ item, handle, onShow, onRename, onRemove }: FileLineProps) {
  const t = useT();
  if (item.kind !== 'file') return <UnfinishedLine item={item} onRemove={onRemove} />;
  const { file } = item;
  const { title } = file;
  return (
    <>
      <Grip label={t('Move “{{title}}” by the arrow keys', { title })} handle={handle} />
      {onShow === undefined ? (
        <span className="ca-thumb">
          <i className={`pi pi-${iconName(file)} ca-icon`} aria-hidden="true" />
        </span>
      ) : (
        <button
          type="button"
          className="ca-thumb"
          aria-label={t('Show “{{title}}”', { title })}
          onClick={onShow}
        >
          <FileThumb file={file} size="small" />
        </button>
      )}
      <FileName title={title} onRename={onRename} />
      <span className="ca-size">{file.size === undefined ? '' : sizeText(file.size)}</span>
      {onShow && (
        <a
          className="ca-tool"
          href={hrefOf(file)}
          aria-label={t('Download “{{title}}”', { title })}
          title={t('Download')}
          {...(isLink(file) ? { target: '_blank', rel: 'noopener noreferrer' } : { download: title })}
        >
          <i className={`pi pi-${isLink(file) ? 'external-link' : 'download'}`} aria-hidden="true" />
        </a>
      )}
      <RemoveButton label={t('Remove “{{title}}”', { title })} onRemove={onRemove} />
    </>
  );
}

function UnfinishedLine({
  item,
  onRemove,
}: {
  readonly item: Exclude<FileItem, { readonly kind: 'file' }>;
  readonly onRemove: () => void;
}) {
  const t = useT();
  const { name } = item;
  if (item.kind === 'failed')
    return (
      <>
        <i className="pi pi-exclamation-triangle ca-icon ca-wrong" aria-hidden="true" />
        <span className="ca-name ca-wrong" role="alert">
          {name}: {item.problem}
        </span>
        <RemoveButton label={t('Dismiss “{{title}}”', { title: name })} onRemove={onRemove} />
      </>
    );
  return (
    <>
      <i className="pi pi-upload ca-icon" aria-hidden="true" />
      <span className="ca-name">
        {name}
        <Progress
          label={t('Upload of “{{title}}”', { title: name })}
          value={item.part === undefined ? undefined : Math.round(item.part * 100)}
        />
      </span>
      <RemoveButton label={t('Cancel the upload of “{{title}}”', { title: name })} onRemove={onRemove} />
    </>
  );
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <button type="button" className="ca-tool" aria-label={label} title={label} onClick={onRemove}>
      <i className="pi pi-times" aria-hidden="true" />
    </button>
  );
}

/** The name, which can be edited in place. An empty name is ignored. */
function FileName({
  title,
  onRename,
}: {
  readonly title: string;
  readonly onRename: (title: string) => void;
}) {
  const t = useT();
  const [text, setText] = useState<string>();
  const take = () => {
    const next = tidyTitle(text ?? '');
    setText(undefined);
    if (next !== '' && next !== title) onRename(next);
  };
  return (
    <input
      className="ca-name"
      aria-label={t('Name of “{{title}}”', { title })}
      dir="auto"
      maxLength={255}
      value={text ?? title}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return event.stopPropagation();
        if (event.key === 'Enter') take();
        else if (event.key === 'Escape' && text !== undefined) setText(undefined);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
