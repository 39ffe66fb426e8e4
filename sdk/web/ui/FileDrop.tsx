import { useRef, type ReactNode } from 'react';
import { useSharedT } from '../host.tsx';
import { folderOfInput, type ChosenFolder } from './chosen-folder.ts';
import { useFileDrop } from './use-file-drop.ts';

/** The props of a place for a file. @public */
export interface FileDropProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** The accepted kinds of files, in the form of an `input`. */
  readonly accept?: string;
  /** Beside the button: what can be dropped. */
  readonly hint: ReactNode;
  /** The problem of the last file. */
  readonly problem?: ReactNode;
  onChoose(this: void, file: File): void;
  /** For a place where a folder can be chosen or dropped instead. */
  readonly folder?: {
    /** Its name for screen readers. */
    readonly label: string;
    onChoose(this: void, folder: ChosenFolder): void;
  };
}

/** React does not know this property, and passes it on. */
const choosesFolders = { webkitdirectory: '' };

/** Accepts one file, or one folder, chosen or dropped. @public */
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
