import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { CellValue, ColumnEntity, ProjectEntity, Row, TableEntity } from '../shared/index.ts';
import { checkCell, columnContext, editedText, editorOfColumn, type ReadCell, readTyped } from './columns.ts';
import { useSharedT } from './host.tsx';
import type { EditorDraft, WebColumnType } from './extensions/index.ts';
import { useAfterPress } from './use-after-press.ts';

/** The props of a value's editor outside the grid. @public */
export interface CellEditorProps {
  readonly column: ColumnEntity;
  readonly type: WebColumnType;
  readonly value: CellValue;
  readonly project?: ProjectEntity;
  readonly table?: TableEntity;
  readonly row?: Row;
  /** The id of the element with its name. */
  readonly labelledBy?: string;
  /** The id of its field, for a label, if the editor is a text field. */
  readonly fieldId?: string;
  /** Whether people enter their own data here, so that browsers may fill it in. Default: no. */
  readonly isOwn?: boolean;
  readonly className?: string;
  readonly autoFocus?: boolean;
  /** A problem of the value besides those of the column's type, such as that it is missing. */
  readonly problem?: string;
  onCommit(this: void, value: CellValue): void;
  /** Called when the editor starts or stops holding an uncommitted change. */
  onHold?(this: void, isHeld: boolean): void;
  /** Called with the problem of a text that cannot be parsed, and with undefined when it is solved. */
  onProblem?(this: void, problem: string | undefined): void;
  /** A text that was left here earlier and could not be parsed: a text editor shows it again. */
  readonly unread?: string | undefined;
  /** Called with a text that is left and cannot be parsed, and with undefined when that is solved. */
  onUnread?(this: void, text: string | undefined): void;
  /** Called with an uncommitted text when the editor is removed, for example with its column. */
  onLost?(this: void, text: string): void;
}

/**
 * Edits one value by its column type, in a form beside the grid: on one line or several, or with the type's own editor. The value
 * is committed when the field is left; a text that cannot be parsed stays and shows why.
 *
 * @public
 */
export function CellEditor(props: CellEditorProps): ReactNode {
  const { column, type, value, onCommit, onProblem } = props;
  const t = useSharedT();
  const [problem, setProblem] = useState<string>();
  const problemId = useId();
  const shown = problem ?? props.problem;

  const tell = (next: string | undefined): void => {
    setProblem(next);
    if (next !== problem) onProblem?.(next);
  };
  const take = (draft: EditorDraft): boolean => {
    const read: ReadCell =
      draft.kind === 'text'
        ? readTyped(draft.text, column, type, t)
        : checkCell(draft.value, column, type, t);
    tell(read.ok ? undefined : read.message);
    if (read.ok && !Object.is(read.value, value)) onCommit(read.value);
    return read.ok;
  };
  const tellBusy = (reason: string | undefined): void => {
    setProblem(reason);
    onProblem?.(reason);
  };
  const editor = type.FormEditor ?? editorOfColumn(column, type);
  const part = { ...props, take, isWrong: shown !== undefined, describedBy: shown && problemId };
  return (
    <div className={props.className}>
      {typeof editor === 'string' ? (
        <TextEditor {...part} onTyped={() => tell(undefined)} />
      ) : (
        <TypeEditor {...part} Editor={editor} onCancel={() => tell(undefined)} onBusy={tellBusy} />
      )}
      {shown !== undefined && (
        <small id={problemId} className="tr-field-problem">
          {shown}
        </small>
      )}
    </div>
  );
}

interface PartProps extends CellEditorProps {
  /** Parses and commits; false if it cannot be parsed. */
  readonly take: (draft: EditorDraft) => boolean;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

function TextEditor(props: PartProps & { readonly onTyped: () => void }): ReactNode {
  const { column, type, take, onTyped } = props;
  const [text, setText] = useState(props.unread);
  const { start } = useBegun(props, text !== undefined);
  const hold = (next: string | undefined): void => {
    // A value equal to the initial one is no draft: it must not overwrite what others wrote.
    const held = next === start ? undefined : next;
    setText(held);
    props.onHold?.(held !== undefined);
    props.onUnread?.(undefined);
  };
  const commit = (): void => {
    if (text === undefined) return;
    if (take({ kind: 'text', text })) hold(undefined);
    else props.onUnread?.(text);
  };
  const latest = useRef(commit);
  useLayoutEffect(() => {
    latest.current = commit;
  });
  // What was left here earlier is still invalid.
  useEffect(() => latest.current(), []);
  useTellLost(() => text, props.onLost);
  const afterPress = useAfterPress();
  const shared = {
    id: props.fieldId,
    inputMode: type.entry,
    autoComplete: props.isOwn === true ? type.entry : undefined,
    className: 'p-inputtext p-component',
    // The direction of a text depends on the text itself, whatever the language of the page.
    dir: 'auto',
    value: text ?? start,
    autoFocus: props.autoFocus,
    'aria-label': props.labelledBy === undefined ? column.title : undefined,
    'aria-labelledby': props.labelledBy,
    'aria-invalid': props.isWrong,
    'aria-describedby': props.describedBy,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      hold(event.target.value);
      onTyped();
    },
    onBlur: () => afterPress(() => latest.current()),
  };
  const isLong = editorOfColumn(column, type) === 'longText';
  return (
    <>
      {isLong ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input
          {...shared}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit();
          }}
        />
      )}
      <StoredMeanwhile {...props} start={start} isHeld={text !== undefined} />
    </>
  );
}

function TypeEditor(
  props: PartProps & {
    readonly Editor: Exclude<WebColumnType['Editor'], string>;
    readonly onCancel: () => void;
    readonly onBusy: (reason: string | undefined) => void;
  },
): ReactNode {
  const { Editor, column, type, value, table, take, onCancel, onBusy } = props;
  const [isBusy, setBusy] = useState(false);
  const draft = useRef<EditorDraft>(undefined);
  const [isHeld, setHeld] = useState(false);
  // A running edit continues, and others' stored values are merged into it.
  const { began, start } = useBegun(props, isHeld || isBusy);
  // Increased to restart the editor with the stored value.
  const [round, setRound] = useState(0);
  const key = `${round} ${start}`;
  const [firstKey] = useState(key);
  const box = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    // The editor that had the focus has just been replaced.
    if (isInside.current && document.activeElement === document.body) fieldIn(box.current)?.focus();
  }, [key]);
  const hold = (next: EditorDraft | undefined): void => {
    // A value equal to the initial one is no draft: it must not overwrite what others wrote.
    const isBack =
      next?.kind === 'text' ? next.text === start : next !== undefined && Object.is(next.value, began);
    draft.current = isBack ? undefined : next;
    setHeld(draft.current !== undefined);
    props.onHold?.(draft.current !== undefined);
    if (isBack) onCancel();
  };
  /** Commits the draft; one that cannot be parsed stays. */
  const takeHeld = (): void => {
    const held = draft.current;
    if (held !== undefined && take(held)) hold(undefined);
  };
  const latest = useRef(takeHeld);
  useLayoutEffect(() => {
    latest.current = takeHeld;
  });
  useTellLost(() => {
    const held = draft.current;
    return held?.kind === 'value' ? editedText(held.value, column, type) : held?.text;
  }, props.onLost);
  const afterPress = useAfterPress();
  const leave = (event: FocusEvent<HTMLElement>): void => {
    if (event.currentTarget.contains(event.relatedTarget) || isInPopUp(event)) return;
    isInside.current = false;
    afterPress(() => latest.current());
  };
  return (
    <div
      ref={box}
      className="tr-editor"
      role={props.labelledBy === undefined ? undefined : 'group'}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      onFocus={() => {
        isInside.current = true;
      }}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.defaultPrevented && !event.nativeEvent.isComposing) takeHeld();
      }}
    >
      <Editor
        key={key}
        value={isBusy ? value : began}
        column={column}
        columns={table?.columns}
        project={props.project}
        table={table}
        row={props.row}
        options={columnContext(column, type).options}
        autoFocus={props.autoFocus === true && key === firstKey}
        onChange={hold}
        onBusy={(reason) => {
          setBusy(reason !== undefined);
          onBusy(reason);
        }}
        onCommit={(next) => {
          hold(undefined);
          take({ kind: 'value', value: next });
        }}
        onCancel={() => {
          hold(undefined);
          setRound(round + 1);
          onCancel();
        }}
      />
      <StoredMeanwhile {...props} start={start} isHeld={isHeld} />
    </div>
  );
}

/**
 * The value that an edit began with, and its text. A draft stays visible when others store another value meanwhile; theirs is
 * adopted once there is no draft.
 */
function useBegun(
  { column, type, value }: CellEditorProps,
  isKept: boolean,
): { readonly began: CellValue; readonly start: string } {
  const [began, setBegan] = useState(value);
  if (!isKept && !Object.is(began, value)) setBegan(value);
  return { began, start: editedText(began, column, type) };
}

/** Shows what others stored since an uncommitted edit began. */
function StoredMeanwhile(
  props: CellEditorProps & { readonly start: string; readonly isHeld: boolean },
): ReactNode {
  const { column, type, value, start, isHeld } = props;
  const t = useSharedT();
  const stored = editedText(value, column, type);
  if (!isHeld || stored === start) return null;
  return (
    <small role="status" className="tr-note">
      {type.isCovered === true
        ? t('Meanwhile something else was stored. What you write replaces it.')
        : t('Meanwhile this was stored: “{{text}}”. What you write replaces it.', { text: shortOf(stored) })}
    </small>
  );
}

/** The element to focus in an editor: for radio buttons, the checked one. */
function fieldIn(box: HTMLElement | null): HTMLElement | null | undefined {
  return (
    box?.querySelector<HTMLElement>('input[type="radio"]:checked') ??
    box?.querySelector<HTMLElement>('input, textarea, select, button, [tabindex]')
  );
}

/** Reports the draft when the editor is removed; `written` returns undefined if everything was committed. */
function useTellLost(written: () => string | undefined, onLost: CellEditorProps['onLost']): void {
  const latest = useRef({ written, onLost });
  useLayoutEffect(() => {
    latest.current = { written, onLost };
  });
  useLayoutEffect(
    () => () => {
      const text = latest.current.written();
      if (text !== undefined) latest.current.onLost?.(text);
    },
    [],
  );
}

/** The most characters of a value in a message. */
const mostQuoted = 80;

function shortOf(text: string): string {
  return text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text;
}

/** Whether the focus moves to a pop-up of the editor, which is elsewhere in the document. */
function isInPopUp({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): boolean {
  const layer = relatedTarget instanceof Element ? relatedTarget.closest('.tr-popover-layer') : null;
  return layer !== null && !layer.contains(currentTarget);
}
