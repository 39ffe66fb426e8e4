import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { swatches } from '../../shared/index.ts';
import { useSharedT } from '../host.tsx';

/** The props of a colour field. @public */
export interface ColorFieldProps {
  /** What is coloured: `Colour of Done`. */
  readonly label: string;
  readonly value: string | undefined;
  /** The available colours; all swatches by default. */
  readonly colors?: readonly string[];
  readonly disabled?: boolean;
  onChange(this: void, color: string): void;
}

/** The names of swatches. */
const colorWords: Readonly<Record<string, string>> = {
  '#2d6fdb': 'Blue',
  '#0a86c2': 'Sky blue',
  '#0f8f88': 'Teal',
  '#c01a94': 'Pink',
  '#cf2750': 'Red',
  '#c2501a': 'Orange',
  '#946800': 'Amber',
  '#1c8a2c': 'Green',
  '#7440d8': 'Violet',
  '#5c6470': 'Grey',
  '#cfdffe': 'Light blue',
  '#d0f1fd': 'Light sky blue',
  '#c2f5e8': 'Light teal',
  '#ffdaf6': 'Light pink',
  '#ffdce5': 'Light red',
  '#fee2d5': 'Light orange',
  '#ffeab6': 'Light amber',
  '#d1f7c4': 'Light green',
  '#ede2fe': 'Light violet',
  '#eeeeee': 'Light grey',
};

/** Colours to choose from, each a button with its name. @public */
export function ColorChoices({
  label,
  value,
  colors = swatches,
  onChange,
}: Omit<ColorFieldProps, 'disabled'>): ReactNode {
  const t = useSharedT();
  return (
    <div className="tr-swatches" role="group" aria-label={label}>
      {colors.map((color) => (
        <button
          key={color}
          type="button"
          className="tr-swatch tr-swatch--button"
          style={{ background: color }}
          title={t(colorWords[color] ?? color)}
          aria-label={t(colorWords[color] ?? color)}
          aria-pressed={color === value}
          onClick={() => onChange(color)}
        />
      ))}
    </div>
  );
}

/**
 * A swatch that opens the colours to choose from. They follow it as a sibling: in a grid they take a line of their own.
 * @public
 */
export function ColorField({
  label,
  value,
  colors = swatches,
  disabled = false,
  onChange,
}: ColorFieldProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  /** The key closes only the colours, and not what contains them. */
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className="tr-swatch tr-swatch--button"
        style={{ background: value }}
        aria-label={label}
        aria-expanded={isOpen}
        disabled={disabled}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={closeOnEscape}
      />
      {isOpen && (
        <div role="presentation" className="tr-color-field" onKeyDown={closeOnEscape}>
          <ColorChoices
            {...{ label, value, colors }}
            onChange={(color) => {
              onChange(color);
              close();
            }}
          />
        </div>
      )}
    </>
  );
}
