import { useRef, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { folderOfInput, type ChosenFolder } from './chosen-folder.ts';
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
  /** Where a folder may be chosen or dropped instead. */
  readonly folder?: {
    /** Its name for screen readers. */
    readonly label: string;
    onChoose(this: void, folder: ChosenFolder): void;
  };
}

/** React knows no such property, and hands on what it does not know. */
const choosesFolders = { webkitdirectory: '' };

/** Takes one file, or one folder, chosen or dropped. @public */
export function FileDrop({ label, accept, hint, problem, folder, onChoose }: FileDropProps): ReactNode {
  const t = useSharedT();
  const chooser = useRef<HTMLInputElement>(null);
  const folderChooser = useRef<HTMLInputElement>(null);
  const { isOver, handlers } = useFileDrop(([file]) => {
    if (file !== undefined) onChoose(file);
  }, folder?.onChoose);
  return (
    <div className="tr-file-drop" data-over={isOver} {...handlers}>
      {problem}
      <button type="button" className="tr-button tr-button--primary" onClick={() => chooser.current?.click()}>
        <i className="pi pi-upload" aria-hidden="true" />
        {t('Choose a file')}
      </button>
      {folder && (
        <button type="button" className="tr-button" onClick={() => folderChooser.current?.click()}>
          <i className="pi pi-folder-open" aria-hidden="true" />
          {t('Choose a folder')}
        </button>
      )}
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
      {folder && (
        <input
          ref={folderChooser}
          type="file"
          hidden
          {...choosesFolders}
          aria-label={folder.label}
          onChange={(event) => {
            const chosen = folderOfInput([...(event.target.files ?? [])]);
            event.target.value = '';
            if (chosen !== undefined) folder.onChoose(chosen);
          }}
        />
      )}
    </div>
  );
}
