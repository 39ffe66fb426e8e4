import { useT } from '@trellis/sdk/web';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { FormulaFunction, FormulaProblem } from '../shared/index.ts';
import { callAt, completionsAt, type Completion } from './completion.ts';
import { columnsIn, piecesOf } from './highlight.ts';
import type { ColumnNotes } from './use-column-notes.ts';
import { useFormulaFunctions } from './use-formula-functions.ts';
import { useProblemText } from './use-problem-text.ts';

interface FormulaEditorProps {
  readonly value: string;
  /** The titles of columns that the formula may use. */
  readonly titles: readonly string[];
  readonly notes: ColumnNotes;
  readonly problem: FormulaProblem | undefined;
  /** Receives the element, so that text can be inserted at its caret. */
  readonly area: React.RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (value: string) => void;
}

/** A text area above its own coloured text, with a list of completions below it. */
export function FormulaEditor({ value, titles, notes, problem, area, onChange }: FormulaEditorProps) {
  const t = useT();
  const id = useId();
  const problemText = useProblemText();
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { all: functions } = useFormulaFunctions();
  const list = isOpen ? completionsAt(value, caret, { titles, functions }) : [];
  const chosen = list[Math.min(active, list.length - 1)];
  const call = callAt(value, caret, functions);
  const called = call && functions.get(call.name.toUpperCase());
  const options = useRef<HTMLUListElement>(null);

  useEffect(() => {
    options.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  function write(next: string, at: number) {
    flushSync(() => {
      onChange(next);
      setCaret(at);
      setOpen(false);
    });
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  }

  function take({ insert, from, to, caret: at }: Completion) {
    write(value.slice(0, from) + insert + value.slice(to), at);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (chosen === undefined || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: list.length - 1 }[event.key];
    if (step !== undefined) setActive((Math.min(active, list.length - 1) + step) % list.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else if (event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
  }

  return (
    <div className="cf-editor">
      <div className="cf-frame" aria-invalid={problem !== undefined}>
        <pre className="cf-paint" aria-hidden="true">
          {piecesOf(value, problem).map((piece, index) => (
            <span key={index} className={`cf-${piece.kind}${piece.isWrong ? ' cf-wrong' : ''}`}>
              {piece.text}
            </span>
          ))}
          {'\n'}
        </pre>
        <textarea
          ref={area}
          className="cf-area"
          aria-label={t('Formula')}
          aria-autocomplete="list"
          aria-controls={list.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={chosen && `${id}-${list.indexOf(chosen)}`}
          aria-invalid={problem !== undefined}
          aria-describedby={list.length === 0 && problem !== undefined ? `${id}-problem` : undefined}
          placeholder={t('{Price} * {Count}')}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setCaret(event.target.selectionStart);
            setActive(0);
            setOpen(true);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
      </div>
      {list.length > 0 && (
        <ul
          ref={options}
          id={`${id}-list`}
          className="cf-completions"
          role="listbox"
          aria-label={t('Suggestions')}
        >
          {list.map((item, index) => (
            <li
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={item === chosen}
              // The text area keeps the focus and receives the keys.
              onMouseDown={(event) => {
                event.preventDefault();
                take(item);
              }}
            >
              <i
                className={`pi pi-${item.kind === 'function' ? 'calculator' : 'table'}`}
                aria-hidden="true"
              />
              <span>{item.label}</span>
              {item.kind === 'column' && notes.has(item.label) && (
                <small className="tr-note">{notes.get(item.label)}</small>
              )}
            </li>
          ))}
        </ul>
      )}
      {list.length === 0 && problem !== undefined ? (
        <div id={`${id}-problem`} className="tr-field-problem" role="status">
          {problemText(problem)}
        </div>
      ) : (
        called !== undefined && <CallHelp definition={called} index={call?.index ?? 0} />
      )}
      {list.length === 0 &&
        columnsIn(value, titles).map((title) =>
          notes.has(title) ? (
            <div key={title} className="tr-note">
              {t('“{{title}}” is {{note}}', { title, note: notes.get(title) ?? '' })}
            </div>
          ) : null,
        )}
    </div>
  );
}

/** The syntax of the function at the caret, with the current argument in bold. */
function CallHelp({ definition, index }: { readonly definition: FormulaFunction; readonly index: number }) {
  const t = useT();
  const { parameters, repeats = 0 } = definition;
  const last = parameters.length - 1;
  const current = index <= last ? index : last - ((index - parameters.length) % Math.max(repeats, 1));
  return (
    <div className="tr-note">
      <code>
        {definition.name}(
        {parameters.map((parameter, at) => {
          const label = parameter.optional === true ? `[${parameter.name}]` : parameter.name;
          return (
            <span key={parameter.name}>
              {at > 0 && ', '}
              {at === current ? <b>{label}</b> : label}
            </span>
          );
        })}
        {repeats > 0 && ', …'})
      </code>{' '}
      {t(definition.summary)}
      {definition.takesLists === true &&
        ` ${t('Takes lists of values, too, as lookups over many links are; what is empty in them does not count.')}`}
    </div>
  );
}
