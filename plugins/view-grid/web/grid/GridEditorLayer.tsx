import { Component, type FocusEvent, type ReactNode, useEffect, useRef } from 'react';
import type { GridModel } from './grid-model.ts';
import type { GridEditing } from './grid-store.ts';

export interface GridEditorLayerProps {
  readonly editing: GridEditing;
  readonly model: GridModel;
}

/**
 * The editor of a column type, mounted over its cell. It commits what it last reported when the focus leaves it for
 * anything but its own pop-ups, which React knows to be its children wherever they stand in the document.
 */
export function GridEditorLayer({ editing, model }: GridEditorLayerProps): ReactNode {
  const { column, row } = editing;
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef(true);
  const leaving = useRef<number>(undefined);

  useEffect(() => {
    const element = box.current;
    if (element !== null && !element.contains(document.activeElement)) {
      element
        .querySelector<HTMLElement>('input, textarea, select, button, [tabindex]')
        ?.focus({ preventScroll: true });
    }
    return () => window.clearTimeout(leaving.current);
  }, []);

  /** False once the edit is over: an editor that loses the focus while it is taken away may still report. */
  const isOpen = (): boolean => {
    const open = model.getState().editing;
    return open !== undefined && open.row.key === row.key && open.column.id === column.id;
  };

  const onBlur = (event: FocusEvent): void => {
    inside.current = false;
    const to = event.relatedTarget;
    if (to instanceof Node && box.current?.contains(to) === true) return;
    // The focus event of a pop-up, if it went there, comes first.
    leaving.current = window.setTimeout(() => {
      if (!inside.current && document.hasFocus() && isOpen()) model.commitEditing();
    });
  };

  const Editor = column.type.Editor;
  if (Editor === undefined) return null;
  return (
    <div
      ref={box}
      className="tgrid-editor"
      onFocus={() => {
        inside.current = true;
      }}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') model.cancelEditing();
        else if (event.key === 'Tab') model.leaveEditor(event.shiftKey ? 'previous' : 'next');
        else if (event.key === 'Enter' && !event.shiftKey) model.leaveEditor('down');
        else return;
        event.preventDefault();
        event.stopPropagation();
        model.focusInput();
      }}
    >
      <EditorBoundary
        onError={(error) => {
          model.cancelEditing();
          model.context.handlers.onCellError?.(column.id, error);
          model.notify({
            text: model.context.t('This cell cannot be shown: {{reason}}', { reason: error.message }),
            details: [],
          });
          model.focusInput();
        }}
      >
        <Editor
          value={model.valueOf(row, column.id)}
          initialText={editing.initialText}
          row={row}
          column={column}
          onChange={(value) => {
            if (isOpen()) model.setDraftValue(value);
          }}
          onCommit={(value, move = 'stay') => {
            if (!isOpen()) return;
            model.commitValue(value, move);
            model.focusInput();
          }}
          onCancel={() => {
            if (!isOpen()) return;
            model.cancelEditing();
            model.focusInput();
          }}
        />
      </EditorBoundary>
    </div>
  );
}

class EditorBoundary extends Component<
  { onError: (error: Error) => void; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
