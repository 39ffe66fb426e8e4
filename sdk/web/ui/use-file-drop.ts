import { useState, type DragEvent } from 'react';
import { folderOfDrop, type ChosenFolder } from './chosen-folder.ts';

/** The state and handlers of a place for dropped files. @public */
export interface FileDropPlace {
  /** Whether files are dragged over the place. */
  readonly isOver: boolean;
  /** For the element of the place. */
  readonly handlers: {
    onDragOver(this: void, event: DragEvent): void;
    onDragLeave(this: void, event: DragEvent): void;
    onDrop(this: void, event: DragEvent): void;
  };
}

/** Accepts files that are dropped on an element or its content; dragged texts and links are ignored. @public */
export function useFileDrop(
  take: (files: readonly File[]) => void,
  takeFolder?: (folder: ChosenFolder) => void,
): FileDropPlace {
  const [isOver, setOver] = useState(false);
  const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');
  return {
    isOver,
    handlers: {
      onDragOver(event) {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        // Moving between elements inside the place does not count as leaving.
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      },
      onDrop(event) {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        const folder = takeFolder && folderOfDrop(event.dataTransfer);
        if (folder) takeFolder?.(folder);
        else take([...event.dataTransfer.files]);
      },
    },
  };
}
