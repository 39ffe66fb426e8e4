import type { EditorProps } from '@trellis/sdk/web';
import { useState } from 'react';
import type { LongTextOptions } from '../../shared/index.ts';
import { lineOf } from './markdown-blocks.ts';
import { LongTextForm } from './LongTextForm.tsx';
import { LongTextPanel } from './LongTextPanel.tsx';

/** Edits a whole text, with Markdown if the column has it: above its cell in the grid, in place in a form. */
export function LongTextEditor(props: EditorProps<string, LongTextOptions>) {
  const { value, initialText, column, options, autoFocus, onChange, onCommit, onCancel } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [opened] = useState(value ?? '');
  const [text, setText] = useState(initialText ?? opened);
  const isRich = options.richMode;

  function change(next: string) {
    setText(next);
    onChange({ kind: 'text', text: next });
  }

  function commit() {
    // A person who only read the text must not overwrite others' changes.
    const isChanged = text !== opened || initialText !== undefined;
    if (isChanged) onCommit(text === '' ? null : text);
    else if (autoFocus) onCancel();
  }

  if (!autoFocus)
    return (
      <LongTextForm
        text={text}
        label={column.title}
        isRich={isRich}
        isPopUp={false}
        onChange={change}
        onCommit={commit}
      />
    );
  return (
    <>
      <span ref={setAnchor} className="cb-text cb-json-cell">
        {isRich ? lineOf(value ?? '') : value}
      </span>
      {anchor !== null && (
        <LongTextPanel
          anchor={anchor}
          text={text}
          label={column.title}
          isRich={isRich}
          onChange={change}
          onCommit={commit}
          onCancel={onCancel}
        />
      )}
    </>
  );
}
