import { useRef, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { useFileDrop } from './use-file-drop.ts';

/** A place for a file. @public */
export interface FileDropProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** The kinds of files that the browser offers, as an `input` names them. */
  readonly accept?: string;
  /** Beside the button: what may be dropped. */
  readonly hint: ReactNode;
  /** What was wrong with the last one. */
  readonly problem?: ReactNode;
  onChoose(this: void, file: File): void;
}

/** Takes one file, chosen or dropped. @public */
export function FileDrop({ label, accept, hint, problem, onChoose }: FileDropProps): ReactNode {
  const t = useSharedT();
  const chooser = useRef<HTMLInputElement>(null);
  const { isOver, handlers } = useFileDrop(([file]) => {
    if (file !== undefined) onChoose(file);
  });
  return (
    <div className="tr-file-drop" data-over={isOver} {...handlers}>
      {problem}
      <button type="button" className="tr-button tr-button--primary" onClick={() => chooser.current?.click()}>
        <i className="pi pi-upload" aria-hidden="true" />
        {t('Choose a file')}
      </button>
      <span className="tr-note">{hint}</span>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) onChoose(file);
        }}
      />
    </div>
  );
}
