import { useT, type EditorProps } from '@trellis/sdk/web';
import { useState } from 'react';

/** A hidden field, and a button that shows its text until the editor is left. */
export function PasswordEditor({ value, initialText, column, autoFocus, onChange }: EditorProps<string>) {
  const t = useT();
  const [text, setText] = useState(initialText ?? value ?? '');
  const [isShown, setShown] = useState(false);
  return (
    <span className="ct-password">
      <input
        className="ct-editor"
        type={isShown ? 'text' : 'password'}
        // The browser must not offer the person's own passwords.
        autoComplete="new-password"
        spellCheck={false}
        aria-label={column.title}
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange({ kind: 'text', text: event.target.value });
        }}
      />
      <button
        type="button"
        className="ct-eye"
        aria-pressed={isShown}
        aria-label={isShown ? t('Cover') : t('Show')}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.stopPropagation();
        }}
        onClick={() => setShown(!isShown)}
      >
        <i className={isShown ? 'pi pi-eye-slash' : 'pi pi-eye'} aria-hidden="true" />
      </button>
    </span>
  );
}
