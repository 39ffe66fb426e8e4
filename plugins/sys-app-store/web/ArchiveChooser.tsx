import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';

/** Takes the archive of a plugin, chosen or dropped. */
export function ArchiveChooser(props: {
  readonly problem: string | undefined;
  readonly onChoose: (file: File) => void;
}) {
  const t = useT();
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    <div
      className="store-drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) props.onChoose(file);
      }}
    >
      {props.problem !== undefined && <Notice severity="error">{props.problem}</Notice>}
      <button type="button" className="tr-button tr-button--primary" onClick={() => chooser.current?.click()}>
        <i className="pi pi-upload" aria-hidden="true" />
        {t('Choose a file')}
      </button>
      <span className="tr-note">
        {t('or drop the archive of a plugin (.tgz) here. Nothing of it runs before you say so.')}
      </span>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".tgz,application/gzip"
        aria-label={t('Archive of a plugin')}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) props.onChoose(file);
        }}
      />
    </div>
  );
}
