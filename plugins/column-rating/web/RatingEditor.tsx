import { useT, type EditorProps, type StyleWithVariables } from '@trellis/sdk/web';
import { useId } from 'react';
import { ratingSymbols, type RatingOptions } from '../shared/index.ts';

/**
 * The stars in a form.
 *
 * They are radio buttons of the browser, so that Tab, the arrow keys and screen readers work as everywhere. It has no text to hold:
 * each choice is committed at once.
 */
export function RatingEditor({
  value,
  column,
  options,
  autoFocus,
  onCommit,
}: EditorProps<number, RatingOptions>) {
  const t = useT();
  const name = useId();
  const symbols = ratingSymbols(options.icon);
  const filled = Number(value ?? 0);
  const style: StyleWithVariables = { '--rating-color': options.color };
  return (
    <span className="rating rating-editor" style={style} role="radiogroup" aria-label={column.title}>
      {Array.from({ length: options.max }, (_, index) => index + 1).map((star) => (
        <label key={star} className="rating-star" data-filled={star <= filled}>
          <input
            type="radio"
            name={name}
            value={star}
            checked={star === filled}
            autoFocus={autoFocus && star === (filled || 1)}
            aria-label={t('{{filled}} of {{max}}', { filled: star, max: options.max })}
            onChange={() => onCommit(star)}
            // The star that is chosen already: pressed again, it empties the cell, as in the grid. Arrow keys make clicks of their own.
            onClick={({ detail: presses }) => {
              if (presses > 0 && star === filled) onCommit(null);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Delete' || event.key === 'Backspace') onCommit(null);
            }}
          />
          <i className={`pi ${star <= filled ? symbols.full : symbols.empty}`} aria-hidden="true" />
        </label>
      ))}
    </span>
  );
}
