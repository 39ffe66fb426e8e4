import {
  Component,
  createElement,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
} from 'react';
import { columnContext } from '../columns.ts';
import { titledRow } from '../rows/index.ts';
import { editorOf } from './grid-column.ts';
import type { GridModel } from './grid-model.ts';
import type { GridEditing } from './grid-state.ts';

export interface GridEditorLayerProps {
  readonly editing: GridEditing;
  readonly model: GridModel;
}

/**
 * The editor of a column type, mounted over its cell. It commits the last reported draft when the focus leaves it for anything but
 * its own pop-ups, which are its children in React wherever they are in the document.
 */
export function GridEditorLayer({ editing, model }: GridEditorLayerProps): ReactNode {
  const { column, row } = editing;
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef(true);
  const leaving = useRef<number>(undefined);

  useEffect(() => {
    takeFocus(box.current);
    return () => window.clearTimeout(leaving.current);
  }, []);

  /** False once the edit is over: an editor that loses the focus while it is removed may still report. */
  const isOpen = (): boolean => {
    const open = model.state.getSnapshot().editing;
    return open !== undefined && open.row.key === row.key && open.column.entity.id === column.entity.id;
  };

  const onBlur = (event: FocusEvent): void => {
    inside.current = false;
    const to = event.relatedTarget;
    if (to instanceof Node && box.current?.contains(to) === true) return;
    // The focus event of a pop-up, if the focus moved there, comes first.
    leaving.current = window.setTimeout(() => {
      if (!inside.current && document.hasFocus() && isOpen()) model.session.commit();
    });
  };

  const { type } = column;
  const Editor = editing.isWhole === true ? type?.WholeEditor : editorOf(column);
  if (type === undefined || Editor === undefined) return null;
  const { project, table } = model.state.context;
  const { columns = [] } = table;
  return (
    <div
      ref={box}
      className="tgrid-editor"
      tabIndex={-1}
      onFocus={() => {
        inside.current = true;
      }}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.nativeEvent.isComposing) return;
        // The box has the focus while the editor's code is loading.
        const isEarly = event.target === event.currentTarget && isText(event);
        if (isEarly) model.session.typeOn(event.key);
        else if (event.key === 'Escape') model.session.cancel();
        else if (event.key === 'Tab') model.session.leave(event.shiftKey ? 'left' : 'right');
        else if (event.key === 'Enter' && !event.shiftKey) model.session.leave('down');
        else return;
        event.preventDefault();
        event.stopPropagation();
        if (!isEarly) model.state.focusInput();
      }}
    >
      <EditorBoundary
        onError={(error) => {
          model.session.cancel();
          model.state.context.handlers.onCellError?.(column.entity.id, error);
          model.state.notify({
            text: model.state.context.t('This cell cannot be shown: {{reason}}', { reason: error.message }),
            details: [],
          });
          model.state.focusInput();
        }}
      >
        <Suspense>
          {createElement(Editor, {
            value: model.state.valueOf(model.state.rowNow(editing), column.entity.id),
            initialText: editing.initialText,
            initialFiles: editing.initialFiles,
            project,
            table,
            columns,
            row: titledRow(row.values, columns),
            column: column.entity,
            options: columnContext(column.entity, type).options,
            autoFocus: true,
            onChange: (draft) => {
              if (isOpen()) model.session.hold(draft);
            },
            onCommit: (value, move) => {
              if (!isOpen()) return;
              model.session.commitValue(value, move ?? 'stay');
              model.state.focusInput();
            },
            onCancel: () => {
              if (!isOpen()) return;
              model.session.cancel();
              model.state.focusInput();
            },
            onLate: (make) => model.writer.writeLate(editing, make),
          })}
          <Arrival box={box} />
        </Suspense>
      </EditorBoundary>
    </div>
  );
}

/** Whether a key types a character. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^.$/u.test(key) && !ctrlKey && !metaKey && !altKey;
}

/** An editor that is only a pop-up, or still loading, takes the focus from the box, so that the grid knows that it is inside. */
function takeFocus(box: HTMLElement | null): void {
  const focused = document.activeElement;
  if (box === null || (focused !== box && box.contains(focused))) return;
  const first = box.querySelector<HTMLElement>('input, textarea, select, button, [tabindex]');
  (first ?? box).focus({ preventScroll: true });
}

/** Gives the focus to an editor whose code was loaded after its box. */
function Arrival({ box }: { readonly box: RefObject<HTMLElement | null> }): ReactNode {
  useEffect(() => takeFocus(box.current), [box]);
  return null;
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
