import type { EditorProps } from '@trellis/sdk/web';
import { useState } from 'react';
import type { LongTextOptions } from '../../shared/index.ts';
import { lineOf } from './markdown-blocks.ts';
import { LongTextForm } from './LongTextForm.tsx';
import { LongTextPanel } from './LongTextPanel.tsx';

/** Edits a text of Markdown: over its cell in the grid, and in place among the fields of a form. */
export function RichTextEditor(props: EditorProps<string, LongTextOptions>) {
  const { value, initialText, column, autoFocus, onChange, onCommit, onCancel } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [text, setText] = useState(initialText ?? value ?? '');

  function change(next: string) {
    setText(next);
    onChange({ kind: 'text', text: next });
  }

  const commit = () => onCommit(text === '' ? null : text);
  if (!autoFocus)
    return (
      <LongTextForm
        text={text}
        label={column.title}
        isRich
        isPopUp={false}
        onChange={change}
        onCommit={commit}
      />
    );
  return (
    <>
      <span ref={setAnchor} className="cb-text cb-json-cell">
        {lineOf(value ?? '')}
      </span>
      {anchor !== null && (
        <LongTextPanel
          anchor={anchor}
          text={text}
          label={column.title}
          isRich
          onChange={change}
          onCommit={commit}
          onCancel={onCancel}
        />
      )}
    </>
  );
}
