import { useState, type DragEvent } from 'react';
import { folderOfDrop, type ChosenFolder } from './chosen-folder.ts';

/** What a place that takes files needs of drag and drop. @public */
export interface FileDropPlace {
  /** Whether files are held over the place. */
  readonly isOver: boolean;
  /** For the element of the place. */
  readonly handlers: {
    onDragOver(this: void, event: DragEvent): void;
    onDragLeave(this: void, event: DragEvent): void;
    onDrop(this: void, event: DragEvent): void;
  };
}

/** Takes files that are dropped on an element or on what is in it; texts and links that are dragged there go their way. @public */
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
        // From one thing in the place to another one the pointer leaves nothing.
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
