import { useT, type CellProps, type StyleWithVariables } from '@trellis/sdk/web';
import { ratingSymbols, type RatingOptions } from '../shared/index.ts';

/**
 * The stars of one cell.
 *
 * It is a row of buttons and no slider, because a click must say exactly one number. `onChange` is absent where the cell is
 * read-only, and then the stars are only a picture with a text for screen readers.
 */
export function RatingCell({ value, column, options, onChange }: CellProps<number, RatingOptions>) {
  const t = useT();
  const symbols = ratingSymbols(options.icon);
  const filled = Number(value ?? 0);
  const style: StyleWithVariables = { '--rating-color': options.color };
  const stars = Array.from({ length: options.max }, (_, index) => index + 1);
  const icon = (star: number) => `pi ${star <= filled ? symbols.full : symbols.empty}`;

  if (onChange === undefined) {
    return (
      <span
        className="rating"
        style={style}
        role="img"
        aria-label={t('{{filled}} of {{max}}', { filled, max: options.max })}
      >
        {stars.map((star) => (
          <i
            key={star}
            className={`${icon(star)} rating-star`}
            data-filled={star <= filled}
            aria-hidden="true"
          />
        ))}
      </span>
    );
  }
  return (
    <span className="rating" style={style} role="group" aria-label={column.title}>
      {stars.map((star) => (
        <button
          key={star}
          type="button"
          // The grid keeps the focus and moves by arrow keys, so its cells stay out of the tab order.
          tabIndex={-1}
          className="rating-star"
          data-filled={star <= filled}
          aria-pressed={star === filled}
          aria-label={t('{{filled}} of {{max}}', { filled: star, max: options.max })}
          // A click on the star that is already the last one empties the cell.
          onClick={() => onChange(star === filled ? null : star)}
        >
          <i className={icon(star)} aria-hidden="true" />
        </button>
      ))}
    </span>
  );
}
