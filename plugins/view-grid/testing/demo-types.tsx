import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CellValue } from '@trellis/sdk/shared';
import { defineWebColumnType, type CellProps, type EditorProps, type WebColumnType } from '@trellis/sdk/web';

const basics = {
  label: 'Demo',
  icon: 'tag',
  storage: 'text',
  accepts: [],
  fallback: 'text',
  operators: [],
  examples: [],
  Editor: 'text',
} as const;

function TextCell({ value }: CellProps): ReactNode {
  return <span className="tgrid-text">{asText(value)}</span>;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Plain text, edited in the grid's text area. */
export const text: WebColumnType = defineWebColumnType({
  ...basics,
  id: 'text',
  Cell: TextCell,
  parse: (typed) => ({ ok: true, value: typed as CellValue }),
  format: asText,
});

/** A number; other texts are refused with a message. */
export const number: WebColumnType = defineWebColumnType<number>({
  ...basics,
  id: 'number',
  Cell: TextCell,
  align: 'end',
  parse: (typed) => {
    if (asText(typed).trim() === '') return { ok: true, value: null };
    const value = Number(typed);
    return Number.isFinite(value) ? { ok: true, value } : { ok: false, message: 'must be a number' };
  },
  format: asText,
});

function CheckboxCell({ value, onChange }: CellProps<boolean>): ReactNode {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={value === true}
      disabled={onChange === undefined}
      onChange={(event) => onChange?.(event.target.checked)}
    />
  );
}

export const checkbox: WebColumnType = defineWebColumnType<boolean>({
  ...basics,
  id: 'checkbox',
  Cell: CheckboxCell,
  align: 'center',
  parse: (typed) => ({ ok: true, value: /^(true|yes|1|x)$/i.test(asText(typed).trim()) }),
  format: (value) => (value === true ? 'true' : 'false'),
  toggle: (value) => value !== true,
});

function StarsCell({ value, onChange }: CellProps<number>): ReactNode {
  const stars = typeof value === 'number' ? value : 0;
  return (
    <span aria-label={`${stars} of 5`}>
      {[1, 2, 3, 4, 5].map((star) => (
        <span
          key={star}
          data-grid-control=""
          style={{
            color: star <= stars ? '#e0a100' : 'var(--trellis-border, #d5dae2)',
            cursor: onChange ? 'pointer' : undefined,
          }}
          onClick={() => onChange?.(star === stars ? null : star)}
        >
          ★
        </span>
      ))}
    </span>
  );
}

/** Draws its own component in every cell, as a plugin's type does. */
export const stars: WebColumnType = defineWebColumnType<number>({
  ...basics,
  id: 'stars',
  Cell: StarsCell,
  parse: (typed) => {
    if (asText(typed).trim() === '') return { ok: true, value: null };
    const value = Number(typed);
    return Number.isInteger(value) && value >= 0 && value <= 5
      ? { ok: true, value }
      : { ok: false, message: 'must lie between 0 and 5' };
  },
  format: asText,
});

const choices = ['Draft', 'Review', 'Approved', 'Shipped'];
const hues = [215, 38, 140, 280];

function ChoiceCell({ value }: CellProps<string>): ReactNode {
  const at = choices.indexOf(asText(value));
  if (at < 0) return null;
  return (
    <span
      style={{
        padding: '1px 8px',
        borderRadius: 9,
        background: `hsl(${hues[at]} 60% 50% / 20%)`,
        color: `color-mix(in srgb, hsl(${hues[at]} 60% 40%) 60%, var(--trellis-text, #1f2733))`,
      }}
    >
      {choices[at]}
    </span>
  );
}

const firstChoice = (typed: string): string | undefined =>
  choices.find((choice) => choice.toLowerCase().startsWith(typed.toLowerCase()));

function ChoiceEditor({ value, initialText, onChange, onCommit }: EditorProps<string>): ReactNode {
  const [typed, setTyped] = useState(initialText ?? '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const commit = (choice: string | undefined, move?: 'down'): void => {
    if (choice !== undefined) onCommit(choice, move);
  };
  return (
    <div style={{ padding: 6 }}>
      <input
        ref={input}
        aria-label="Choice"
        value={typed}
        placeholder={asText(value)}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange({ kind: 'value', value: firstChoice(event.target.value) ?? value });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed === '') return;
          event.preventDefault();
          commit(firstChoice(typed), 'down');
        }}
        style={{ font: 'inherit', width: '100%', boxSizing: 'border-box' }}
      />
      {choices
        .filter((choice) => choice.toLowerCase().startsWith(typed.toLowerCase()))
        .map((choice) => (
          <div
            key={choice}
            role="option"
            aria-selected={choice === value}
            style={{ padding: '4px 6px', cursor: 'pointer' }}
            onMouseDown={(event) => {
              event.preventDefault();
              commit(choice);
            }}
          >
            {choice}
          </div>
        ))}
    </div>
  );
}

/** A choice with its own editor above the cell. */
export const choice: WebColumnType = defineWebColumnType<string>({
  ...basics,
  id: 'choice',
  Cell: ChoiceCell,
  Editor: ChoiceEditor,
  parse: (typed) => {
    if (typed === null || typed === '') return { ok: true, value: null };
    return typeof typed === 'string' && choices.includes(typed)
      ? { ok: true, value: typed }
      : { ok: false, message: 'must be one of the choices' };
  },
  format: asText,
});

function BrokenCell({ row }: CellProps): ReactNode {
  if (Number(row?.Row) % 3 === 0) throw new Error('The demo column throws on every third row');
  return <span>fine</span>;
}

/** Throws in every third row. */
export const broken: WebColumnType = { ...text, id: 'broken', Cell: BrokenCell };
