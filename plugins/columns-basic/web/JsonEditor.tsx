import { columnContext, useT, type EditorProps } from '@trellis/sdk/web';
import { Popover } from '@trellis/sdk/web/ui';
import { type KeyboardEvent, useState } from 'react';
import type { CellValue } from '@trellis/sdk/shared';
import { json } from '../shared/index.ts';
import { indentJson, jsonProblem } from './json-text.ts';

/** A JSON text over several lines: under its cell in the grid, in place in a form. */
export function JsonEditor(props: EditorProps<CellValue>) {
  const { value, initialText, column, autoFocus, onChange, onCommit, onCancel } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const context = columnContext(column, json);
  const stored = json.format(value, context);
  const [text, setText] = useState(initialText ?? (jsonProblem(stored) ? stored : indentJson(stored)));

  function change(next: string) {
    setText(next);
    onChange({ kind: 'text', text: next });
  }

  /** A text that cannot be parsed stays in the editor. */
  function commit() {
    const read = json.parse(text.trim() === '' ? null : text, context);
    if (read.ok) onCommit(read.value);
    else onChange({ kind: 'text', text });
  }

  const editor = (
    <JsonText text={text} label={column.title} isPopUp={autoFocus} onChange={change} onCommit={commit} />
  );
  if (!autoFocus) return editor;
  return (
    <>
      <span ref={setAnchor} className="cb-text cb-json-cell">
        {stored}
      </span>
      {anchor !== null && (
        <Popover label={column.title} anchor={anchor} width={420} onClose={commit}>
          <div
            role="presentation"
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.stopPropagation();
              onCancel();
            }}
          >
            {editor}
          </div>
        </Popover>
      )}
    </>
  );
}

interface JsonTextProps {
  readonly text: string;
  readonly label: string;
  readonly isPopUp: boolean;
  readonly onChange: (text: string) => void;
  readonly onCommit: () => void;
}

function JsonText({ text, label, isPopUp, onChange, onCommit }: JsonTextProps) {
  const t = useT();
  const problem = jsonProblem(text);

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter') return;
    // Enter adds a line, so the surroundings must not take it as the end of the edit.
    event.stopPropagation();
    if ((!event.ctrlKey && !event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onCommit();
  }

  return (
    <div className="cb-json-editor">
      <textarea
        className="cb-json-text"
        aria-label={label}
        aria-invalid={problem !== undefined}
        rows={isPopUp ? 10 : 5}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        // Browsers put the caret before an existing text, but further typing belongs after the key that opened the editor.
        onFocus={({ currentTarget }) => {
          if (isPopUp) currentTarget.setSelectionRange(text.length, text.length);
        }}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <footer className="cb-json-foot">
        <small className={problem === undefined ? 'tr-note' : 'tr-field-problem'} role="status">
          {problem === undefined
            ? ''
            : t('No JSON from line {{line}}, column {{column}} on', {
                line: problem.line,
                column: problem.column,
              })}
        </small>
        <button
          type="button"
          className="tr-link"
          disabled={problem !== undefined || text.trim() === ''}
          onClick={() => onChange(indentJson(text))}
        >
          {t('Indent')}
        </button>
        {isPopUp && (
          <button type="button" className="tr-link" onClick={onCommit}>
            {t('Done')}
          </button>
        )}
      </footer>
    </div>
  );
}
