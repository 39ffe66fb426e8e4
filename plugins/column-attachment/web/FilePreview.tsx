import type { AttachedFile } from '@trellis/sdk/shared';
import { messageOfRefusal, sizeText, useT, type Refusal } from '@trellis/sdk/web';
import { Dialog, Skeleton } from '@trellis/sdk/web/ui';
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { FileThumb } from './FileThumb.tsx';
import { hrefOf, isLink, shownKind } from './file-links.ts';

export interface FilePreviewProps {
  readonly files: readonly AttachedFile[];
  /** The index of the first shown file. */
  readonly start: number;
  readonly onClose: () => void;
}

/** Shows one file at a time, as large as the window, with buttons and arrow keys. */
export default function FilePreview({ files, start, onClose }: FilePreviewProps) {
  const t = useT();
  const [at, setAt] = useState(start);
  const file = files[Math.min(at, files.length - 1)];
  if (file === undefined) return null;
  const step = (by: number) => setAt((at + by + files.length) % files.length);

  function onKeyDown(event: KeyboardEvent) {
    // The grid or editor under the preview must not receive its keys.
    event.stopPropagation();
    const isPlaying = event.target instanceof HTMLMediaElement;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowRight' && !isPlaying) step(1);
    else if (event.key === 'ArrowLeft' && !isPlaying) step(-1);
    else if (event.key === 'Home') setAt(0);
    else if (event.key === 'End') setAt(files.length - 1);
    else return;
    event.preventDefault();
  }

  const facts = [
    file.size === undefined ? '' : sizeText(file.size),
    files.length > 1 ? t('{{n}} of {{all}}', { n: at + 1, all: files.length }) : '',
  ].filter((fact) => fact !== '');
  const isMany = files.length > 1;
  return (
    // React bubbles the dialog's events to the component that opened it.
    <div
      role="presentation"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    >
      <Dialog title={file.title} className="ca-preview" dismissable onClose={onClose}>
        <div className="ca-preview-tools">
          <span className="ca-preview-facts">{facts.join(' · ')}</span>
          {isMany && (
            <>
              <ToolButton icon="chevron-left" label={t('Previous file')} onClick={() => step(-1)} />
              <ToolButton icon="chevron-right" label={t('Next file')} onClick={() => step(1)} autoFocus />
            </>
          )}
          <FileLink file={file} />
        </div>
        <div className="ca-preview-body" key={file.url}>
          <FileContent file={file} />
        </div>
      </Dialog>
    </div>
  );
}

function ToolButton(props: {
  readonly icon: string;
  readonly label: string;
  readonly autoFocus?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="ca-tool"
      aria-label={props.label}
      title={props.label}
      autoFocus={props.autoFocus}
      onClick={props.onClick}
    >
      <i className={`pi pi-${props.icon}`} aria-hidden="true" />
    </button>
  );
}

function FileLink({ file }: { readonly file: AttachedFile }) {
  const t = useT();
  if (isLink(file))
    return (
      <a className="ca-tool ca-tool--text" href={file.url} target="_blank" rel="noopener noreferrer">
        <i className="pi pi-external-link" aria-hidden="true" /> {t('Open the link')}
      </a>
    );
  return (
    <a className="ca-tool ca-tool--text" href={hrefOf(file)} download={file.title}>
      <i className="pi pi-download" aria-hidden="true" /> {t('Download')}
    </a>
  );
}

function FileContent({ file }: { readonly file: AttachedFile }) {
  const t = useT();
  const [isBroken, setBroken] = useState(false);
  const onError = () => setBroken(true);
  const href = hrefOf(file);
  if (isBroken) return <BrokenFile file={file} />;
  switch (shownKind(file)) {
    case 'picture':
      return <img className="ca-large" src={href} alt={file.title} onError={onError} />;
    case 'video':
      // eslint-disable-next-line jsx-a11y/media-has-caption -- what people upload brings no captions
      return <video className="ca-large" src={href} controls onError={onError} />;
    case 'audio':
      // eslint-disable-next-line jsx-a11y/media-has-caption -- what people upload brings no captions
      return <audio className="ca-sound" src={href} controls onError={onError} />;
    case 'pdf':
      return <iframe className="ca-page" src={href} title={file.title} />;
    case 'text':
      return <FileText file={file} onError={onError} />;
    default:
      return (
        <NoPreview
          file={file}
          text={isLink(file) ? t('This is a link to another site.') : t('There is no preview of such files.')}
        />
      );
  }
}

/** Says why a stored file is not shown: for example, its storage may be switched off. */
function BrokenFile({ file }: { readonly file: AttachedFile }) {
  const t = useT();
  const [reason, setReason] = useState<string>();
  const href = hrefOf(file);
  const tell = useEffectEvent((refusal: Refusal) => setReason(messageOfRefusal(refusal, t)));
  useEffect(() => {
    const given = new AbortController();
    fetch(href, { headers: { range: 'bytes=0-0' }, signal: given.signal })
      .then(async (answer) => {
        if (answer.status === 503) tell((await answer.json()) as Refusal);
      })
      // If the reason is unknown, the file is shown like any other one without a preview.
      .catch(() => undefined);
    return () => given.abort();
  }, [href]);
  return <NoPreview file={file} text={reason ?? t('This file cannot be shown here.')} />;
}

function NoPreview({ file, text }: { readonly file: AttachedFile; readonly text: string }) {
  return (
    <div className="ca-nothing">
      <FileThumb file={{ ...file, mimetype: '' }} size="small" />
      <p>{text}</p>
    </div>
  );
}

/** Maximum bytes of a text that are shown. */
const mostShown = 200_000;

function FileText({ file, onError }: { readonly file: AttachedFile; readonly onError: () => void }) {
  const t = useT();
  const [text, setText] = useState<string>();
  const href = hrefOf(file);
  const fail = useEffectEvent(onError);
  useEffect(() => {
    const given = new AbortController();
    fetch(href, { headers: { range: `bytes=0-${mostShown - 1}` }, signal: given.signal })
      // An empty file has no range that could be requested.
      .then((answer) =>
        answer.ok ? answer.text() : answer.status === 416 ? '' : Promise.reject(new Error()),
      )
      .then(setText)
      .catch(() => {
        if (!given.signal.aborted) fail();
      });
    return () => given.abort();
  }, [href]);
  if (text === undefined) return <Skeleton />;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
      <pre className="ca-text" tabIndex={0} dir="auto">
        {text}
      </pre>
      {(file.size ?? 0) > mostShown && (
        <p className="tr-note">{t('This is the beginning of the file. Download it to see the rest.')}</p>
      )}
    </>
  );
}
