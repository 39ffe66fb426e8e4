import { useT } from '@trellis/sdk/web';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { MarkdownView } from './MarkdownView.tsx';
import { textMarks, type MarkedText } from './text-marks.ts';

interface LongTextFormProps {
  readonly text: string;
  readonly label: string;
  readonly isRich: boolean;
  /** Whether it is in a popup panel, which has a close button. */
  readonly isPopUp: boolean;
  readonly onChange: (text: string) => void;
  readonly onCommit: () => void;
}

/** A multi-line text; for Markdown with buttons for its marks, and with a preview. */
export function LongTextForm({ text, label, isRich, isPopUp, onChange, onCommit }: LongTextFormProps) {
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isShown, setShown] = useState(false);

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text, isShown]);

  function mark(apply: (of: MarkedText) => MarkedText) {
    const element = area.current;
    if (element === null) return;
    const next = apply({ text, start: element.selectionStart, end: element.selectionEnd });
    onChange(next.text);
    element.value = next.text;
    element.focus();
    element.setSelectionRange(next.start, next.end);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const isCommand = event.ctrlKey || event.metaKey;
    const found =
      isRich &&
      isCommand &&
      !event.altKey &&
      !event.shiftKey &&
      textMarks.find(({ key }) => key === event.key);
    if (found !== false && found !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      mark(found.apply);
    } else if (event.key === 'Enter') {
      // Enter adds a line, so the surroundings must not take it as the end of the edit.
      event.stopPropagation();
      if (!isCommand || event.nativeEvent.isComposing) return;
      event.preventDefault();
      onCommit();
    }
  }

  return (
    <div className="cb-long">
      {isRich && (
        <div className="cb-long-bar" role="toolbar" aria-label={t('Marks of the text')}>
          {textMarks.map(({ id, label: name, sign, icon, key, apply }) => (
            <button
              key={id}
              type="button"
              className={`cb-long-mark cb-long-mark--${id}`}
              aria-label={t(name)}
              title={key === undefined ? t(name) : `${t(name)} (Ctrl+${key.toUpperCase()})`}
              disabled={isShown}
              // Keeps the text's selection.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => mark(apply)}
            >
              {sign ?? <i className={`pi pi-${icon ?? ''}`} aria-hidden="true" />}
            </button>
          ))}
          <button
            type="button"
            className="tr-link cb-long-show"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t('Write') : t('Preview')}
          </button>
        </div>
      )}
      {isShown ? (
        <div className="cb-long-shown" role="document" aria-label={label}>
          <MarkdownView text={text} />
        </div>
      ) : (
        <textarea
          ref={area}
          className="cb-long-text"
          aria-label={label}
          dir="auto"
          rows={isPopUp ? 6 : 4}
          autoFocus={isPopUp}
          value={text}
          onFocus={({ currentTarget }) => {
            if (isPopUp) currentTarget.setSelectionRange(text.length, text.length);
          }}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      {isPopUp && (
        <footer className="cb-json-foot">
          <small className="tr-note">{t('Ctrl+Enter keeps, Escape takes back')}</small>
          <button type="button" className="tr-link" onClick={onCommit}>
            {t('Done')}
          </button>
        </footer>
      )}
    </div>
  );
}
