import { withOption, type SelectOption, type SelectOptions } from '@trellis/sdk/shared';
import { randomKey, useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { ColorField, Grip, moved, useSortable } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Adds, names, colours, orders and removes a column's options. */
export function SelectOptionsPanel({ options: of, column, onChange }: OptionsPanelProps<SelectOptions>) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  // Includes new lines without a name, which are not options yet.
  const [held, setHeld] = useState({ lines: of.options, sent: of.options });
  const lines = held.sent === of.options ? held.lines : of.options;
  const sortable = useSortable(lines.length, (from, to) => change(moved(lines, from, to)));

  function change(next: readonly SelectOption[]) {
    const stored = (column?.meta as Partial<SelectOptions> | null | undefined)?.options ?? [];
    const isOption = ({ id, title }: SelectOption) =>
      title.trim() !== '' || stored.some((option) => option.id === id);
    const sent = next.filter(isOption);
    setHeld({ lines: next, sent });
    onChange({ options: sent });
  }

  function addAt(index: number) {
    const added = withOption({ options: lines }, '', `sl_${randomKey()}`).options.slice(-1);
    flushSync(() => change(lines.toSpliced(index, 0, ...added)));
    focusLine(index);
  }

  function remove(index: number) {
    flushSync(() => change(lines.toSpliced(index, 1)));
    focusLine(Math.min(index, lines.length - 2));
  }

  function focusLine(index: number) {
    const inputs = list.current?.querySelectorAll<HTMLInputElement>('li > input');
    (inputs?.[index] ?? addButton.current)?.focus();
  }

  return (
    <div className="tr-field">
      <span>{t('Options')}</span>
      <ul ref={list} className="cs-options">
        {lines.map((option, index) => {
          const name = option.title || t('Option {{number}}', { number: index + 1 });
          return (
            <li key={option.id} {...sortable.row(index)}>
              <Grip label={t('Move {{name}}: arrow up or down', { name })} handle={sortable.handle(index)} />
              <OptionLine
                name={name}
                option={option}
                onChange={(next) => change(lines.with(index, next))}
                onRemove={() => remove(index)}
                onNext={() => addAt(index + 1)}
              />
            </li>
          );
        })}
      </ul>
      {lines.length === 0 && column !== undefined && column.colOptions === undefined && (
        <p className="tr-note">
          {t('Without options of your own, the values of the column become options.')}
        </p>
      )}
      <button ref={addButton} type="button" className="tr-link" onClick={() => addAt(lines.length)}>
        {t('Add an option')}
      </button>
    </div>
  );
}

interface OptionLineProps {
  readonly name: string;
  readonly option: SelectOption;
  readonly onChange: (option: SelectOption) => void;
  readonly onRemove: () => void;
  /** Called for Enter in the title. */
  readonly onNext: () => void;
}

function OptionLine({ name, option, onChange, onRemove, onNext }: OptionLineProps) {
  const t = useT();

  return (
    <>
      <ColorField
        label={t('Colour of {{name}}', { name })}
        value={option.color}
        onChange={(color) => onChange({ ...option, color })}
      />
      <input
        className="p-inputtext p-component"
        aria-label={name}
        maxLength={100}
        value={option.title}
        onChange={(event) => onChange({ ...option, title: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onNext();
        }}
      />
      <button
        type="button"
        className="tr-icon-button tr-icon-button--small"
        aria-label={t('Remove {{name}}', { name })}
        onClick={onRemove}
      >
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </>
  );
}
