import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { shortcutKey } from '../keys.ts';
import { editorOf, editsInPlace } from './grid-column.ts';
import { readClipboard, writeClipboard } from './grid-clipboard.ts';
import { commandOf, type GridCommand, isOnceAPress } from './grid-keyboard.ts';
import type { GridModel } from './grid-model.ts';
import { type GridSnapshot, isEditedInPlace } from './grid-state.ts';
import { isWithoutHover } from './without-hover.ts';
import { clearRange, copyRange, pasteBlock } from './range-edits.ts';

export interface GridInputProps {
  readonly model: GridModel;
  readonly state: GridSnapshot;
  readonly label: string;
  readonly isRightToLeft: boolean;
  /** The element of the active cell, if it is drawn. */
  readonly activeCellId: string | undefined;
  readonly describedBy: string | undefined;
  readonly controls: string;
  /** Returns false if the grid does not handle it. */
  readonly onCommand: (command: GridCommand) => boolean;
}

/**
 * The one text area that has the focus as long as the grid has it. It receives typing, composition of the input method, copy and
 * paste, and becomes the text editor in its place, so that not even the first composed character is lost.
 */
export function GridInput(props: GridInputProps): ReactNode {
  const { model, state, label, activeCellId, describedBy, controls, onCommand } = props;
  const { editing } = state;
  const inPlace = editing !== undefined && isEditedInPlace(editing);
  /** Typed text is shown before its row exists. */
  const isEntering = inPlace || state.adding;
  const composing = useRef(false);
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => model.state.attachInput(input.current ?? undefined), [model]);
  useLayoutEffect(() => {
    const element = input.current;
    // React gets no event when a removed dialog returns the focus.
    const focus = (): void => model.focus();
    element?.addEventListener('focus', focus);
    return () => element?.removeEventListener('focus', focus);
  }, [model]);

  // The text is not controlled by React: rendering must not change it while an input method composes.
  useLayoutEffect(() => {
    const element = input.current;
    if (element === null) return;
    if (inPlace) {
      if (editing.mode === 'editing' && element.dataset.editing === undefined) {
        const row = editing.row;
        if (element.value === '')
          element.value = editing.initialText ?? model.state.editedTextOf(row, editing.column);
        element.setSelectionRange(element.value.length, element.value.length);
      }
      element.dataset.editing = '';
      fitHeight(element);
    } else {
      delete element.dataset.editing;
      element.style.height = '';
      if (!composing.current && !model.holdsTyping) element.value = '';
    }
  }, [inPlace, editing, model]);

  const typed = (element: HTMLTextAreaElement): void => {
    if (!model.typed(element.value)) element.value = '';
    else fitHeight(element);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { holdsTyping } = model;
    const isTyping = holdsTyping && event.currentTarget.value !== '';
    const mode = isTyping ? 'typing' : editing === undefined ? 'navigate' : editing.mode;
    const command = commandOf(
      {
        ...pick(event),
        key: keyInSight(shortcutKey(event), props.isRightToLeft),
        isComposing: event.nativeEvent.isComposing,
        keyCode: event.keyCode,
      },
      mode,
    );
    if (command === undefined) return;
    if (event.repeat && isOnceAPress(command)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (holdsTyping) {
      const { value } = event.currentTarget;
      event.currentTarget.value = '';
      // As in an editor, Escape discards the typed text.
      if (command.kind === 'cancel' || command.kind === 'escape') model.leaveTyping();
      else model.typeAhead(value, command);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    switch (command.kind) {
      case 'newLine':
        event.currentTarget.setRangeText(
          '\n',
          event.currentTarget.selectionStart,
          event.currentTarget.selectionEnd,
          'end',
        );
        typed(event.currentTarget);
        break;
      default:
        if (!onCommand(command)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const onCopy = (event: ClipboardEvent): boolean => {
    if (editing !== undefined) return false;
    event.preventDefault();
    const block = copyRange(model);
    if (block === undefined) return false;
    writeClipboard(event.clipboardData, block);
    return true;
  };

  return (
    <textarea
      ref={input}
      rows={1}
      className={
        isEntering
          ? `tgrid-input is-editing tgrid-align-${editing?.column.type?.align ?? 'start'}`
          : 'tgrid-input'
      }
      aria-label={label}
      aria-activedescendant={activeCellId}
      aria-describedby={describedBy}
      aria-controls={controls}
      aria-multiline={isEntering}
      autoComplete="off"
      autoCorrect="off"
      autoCapitalize="off"
      spellCheck={inPlace}
      // Only editing may open the screen keyboard, not the focus alone.
      inputMode={inPlace ? undefined : isWithoutHover() ? 'none' : undefined}
      onInput={(event) => {
        const element = event.currentTarget;
        const { activeColumn } = model.state;
        const pluginEditor =
          activeColumn !== undefined &&
          (editorOf(activeColumn) !== undefined || activeColumn.type?.opensTyped === true);
        // An editor of a column type is opened after the composition, which its text field would interrupt.
        if (composing.current && pluginEditor) return;
        typed(element);
      }}
      onCompositionStart={(event) => {
        composing.current = true;
        const { activeColumn } = model.state;
        if (activeColumn !== undefined && editsInPlace(activeColumn) && editing === undefined)
          model.typed(event.currentTarget.value);
      }}
      onCompositionEnd={(event) => {
        composing.current = false;
        typed(event.currentTarget);
      }}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onCut={(event) => {
        if (onCopy(event)) void clearRange(model);
      }}
      onPaste={(event) => {
        if (editing !== undefined) return;
        event.preventDefault();
        const data = event.clipboardData;
        // Spreadsheets add a picture of the cells to their texts.
        if (data.getData('text/plain') === '' && data.files.length > 0)
          return model.takeFiles([...data.files]);
        void pasteBlock(model, readClipboard(data));
      }}
      onBlur={(event) => {
        // A plugin's editor over the cell takes the focus without ending the edit.
        if (event.relatedTarget instanceof Element && event.relatedTarget.closest('.tgrid-editor') !== null)
          return;
        model.blur();
      }}
    />
  );
}

const mirrored: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The key as in a left-to-right layout: an arrow moves to the cell that it points at. */
function keyInSight(key: string, isRightToLeft: boolean): string {
  return isRightToLeft ? (mirrored[key] ?? key) : key;
}

function pick({
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: KeyboardEvent): Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> {
  return { ctrlKey, metaKey, shiftKey, altKey };
}

const MOST_EDITOR_HEIGHT = 240;

/** Makes the editor as high as its text, up to a limit and at least as high as the cell. */
function fitHeight(element: HTMLTextAreaElement): void {
  if (element.dataset.editing === undefined) return;
  element.style.height = '';
  if (element.scrollHeight > element.clientHeight) {
    element.style.height = `${Math.min(MOST_EDITOR_HEIGHT, element.scrollHeight + 2)}px`;
  }
}
