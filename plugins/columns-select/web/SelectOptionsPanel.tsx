import { useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { moved, useSortable } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';
import { swatches, withOption, type SelectOption, type SelectOptions } from '../shared/index.ts';

/** Adds, names, colours, orders and removes the options of a column. */
export function SelectOptionsPanel({ options: of, onChange }: OptionsPanelProps<SelectOptions>) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const { options } = of;
  const change = (next: readonly SelectOption[]) => onChange({ options: next });
  const sortable = useSortable(options.length, (from, to) => change(moved(options, from, to)));

  function add() {
    onChange(withOption(of, '', `sl_${crypto.randomUUID()}`));
    // The new line is there after the next render.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus(),
    );
  }

  return (
    <div className="tr-field">
      <span>{t('Options')}</span>
      <ul ref={list} className="cs-options">
        {options.map((option, index) => {
          const name = option.title || t('Option {{number}}', { number: index + 1 });
          return (
            <li key={option.id} {...sortable.row(index)}>
              <button
                type="button"
                className="tr-grip"
                aria-label={t('Move {{name}}: arrow up or down', { name })}
                {...sortable.handle(index)}
              >
                <i className="pi pi-bars" aria-hidden="true" />
              </button>
              <OptionLine
                name={name}
                option={option}
                onChange={(next) => change(options.with(index, next))}
                onRemove={() => change(options.toSpliced(index, 1))}
                onNext={add}
              />
            </li>
          );
        })}
      </ul>
      <button type="button" className="tr-link" onClick={add}>
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
  /** Enter in the title. */
  readonly onNext: () => void;
}

function OptionLine({ name, option, onChange, onRemove, onNext }: OptionLineProps) {
  const t = useT();
  const [isColoring, setColoring] = useState(false);
  return (
    <>
      <button
        type="button"
        className="tr-swatch"
        style={{ background: option.color }}
        aria-label={t('Colour of {{name}}', { name })}
        aria-expanded={isColoring}
        onClick={() => setColoring(!isColoring)}
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
      {isColoring && (
        <div className="cs-swatches" role="group" aria-label={t('Colour of {{name}}', { name })}>
          {swatches.map((color) => (
            <button
              key={color}
              type="button"
              className="tr-swatch"
              style={{ background: color }}
              aria-label={color}
              aria-pressed={color === option.color}
              onClick={() => {
                onChange({ ...option, color });
                setColoring(false);
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}
