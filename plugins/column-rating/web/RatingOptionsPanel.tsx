import { useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { useState } from 'react';
import { ratingIcons, type RatingOptions } from '../shared/index.ts';

/** Chooses symbol, number and colour in the column panel. */
export function RatingOptionsPanel({ options, onChange }: OptionsPanelProps<RatingOptions>) {
  const t = useT();
  // A field that was emptied for another number stays empty until there is one.
  const [typed, setTyped] = useState<string>();

  function changeMax(text: string) {
    const max = Math.min(10, Number(text));
    const isCount = Number.isInteger(max) && max >= 1;
    setTyped(isCount ? undefined : text);
    if (isCount) onChange({ ...options, max });
  }

  return (
    <div className="rating-options">
      <div className="rating-options-icons" role="radiogroup" aria-label={t('Symbol')}>
        {Object.entries(ratingIcons).map(([name, { full }]) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={options.icon === name}
            aria-label={t(name)}
            style={{ color: options.color }}
            onClick={() => onChange({ ...options, icon: name })}
          >
            <i className={`pi ${full}`} aria-hidden="true" />
          </button>
        ))}
      </div>
      <label>
        <span>{t('Number of symbols')}</span>
        <input
          type="number"
          min={1}
          max={10}
          value={typed ?? options.max}
          onChange={(event) => changeMax(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      </label>
      <label>
        <span>{t('Colour')}</span>
        <input
          type="color"
          value={options.color}
          onChange={(event) => onChange({ ...options, color: event.target.value })}
        />
      </label>
    </div>
  );
}
