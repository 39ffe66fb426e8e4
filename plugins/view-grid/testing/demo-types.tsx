import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { GridCellProps, GridCellType, GridEditorProps, GridMove } from '../web/grid/index.ts';

function TextCell({ value }: GridCellProps): ReactNode {
  return <span className="tgrid-text">{asText(value)}</span>;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Plain text, edited in the grid's text area. */
export const text: GridCellType = {
  Cell: TextCell,
  editsInPlace: true,
  toText: asText,
  fromText: (typed) => ({ ok: true, value: typed === '' ? null : typed }),
};

/** A number, refused with a message when it is none. */
export const number: GridCellType = {
  Cell: TextCell,
  editsInPlace: true,
  align: 'end',
  toText: asText,
  fromText: (typed) => {
    if (typed.trim() === '') return { ok: true, value: null };
    const value = Number(typed);
    return Number.isFinite(value)
      ? { ok: true, value }
      : { ok: false, message: `“${typed}” is not a number` };
  },
};

function CheckboxCell({ value, commit }: GridCellProps): ReactNode {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={value === true}
      disabled={commit === undefined}
      onChange={(event) => commit?.(event.target.checked)}
    />
  );
}

export const checkbox: GridCellType = {
  Cell: CheckboxCell,
  editsInPlace: false,
  align: 'center',
  toText: (value) => (value === true ? 'true' : 'false'),
  fromText: (typed) => ({ ok: true, value: /^(true|yes|1|x)$/i.test(typed.trim()) }),
  toggles: (value) => value !== true,
};

function StarsCell({ value, commit }: GridCellProps): ReactNode {
  const stars = typeof value === 'number' ? value : 0;
  return (
    <span aria-label={`${stars} of 5`}>
      {[1, 2, 3, 4, 5].map((star) => (
        <span
          key={star}
          data-grid-control=""
          style={{
            color: star <= stars ? '#e0a100' : 'var(--trellis-border, #d5dae2)',
            cursor: commit ? 'pointer' : undefined,
          }}
          onClick={() => commit?.(star === stars ? null : star)}
        >
          ★
        </span>
      ))}
    </span>
  );
}

/** A renderer of its own in every cell, as a plugin brings it. */
export const stars: GridCellType = {
  Cell: StarsCell,
  editsInPlace: false,
  toText: asText,
  fromText: (typed) => {
    if (typed.trim() === '') return { ok: true, value: null };
    const value = Number(typed);
    return Number.isInteger(value) && value >= 0 && value <= 5
      ? { ok: true, value }
      : { ok: false, message: 'Between 0 and 5 stars' };
  },
};

const choices = ['Draft', 'Review', 'Approved', 'Shipped'];
const hues = [215, 38, 140, 280];

function ChoiceCell({ value }: GridCellProps): ReactNode {
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

function ChoiceEditor({ value, initialText, onChange, onCommit }: GridEditorProps): ReactNode {
  const [typed, setTyped] = useState(initialText ?? '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const commit = (choice: string | undefined, move?: GridMove): void => {
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
          onChange(firstChoice(event.target.value) ?? value);
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

/** A choice with an editor of its own over the cell. */
export const choice: GridCellType = {
  Cell: ChoiceCell,
  Editor: ChoiceEditor,
  editsInPlace: false,
  toText: asText,
  fromText: (typed) => {
    if (typed === '') return { ok: true, value: null };
    return choices.includes(typed)
      ? { ok: true, value: typed }
      : { ok: false, message: `No choice is called “${typed}”` };
  },
};

function BrokenCell({ row }: GridCellProps): ReactNode {
  if (Number(row.key) % 3 === 0) throw new Error('The demo column throws on every third row');
  return <span>fine</span>;
}

export const broken: GridCellType = { ...text, Cell: BrokenCell };
