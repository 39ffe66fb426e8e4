import { splitDuration } from '#plugins/columns-basic/shared';
import type { ColumnContext } from '@trellis/sdk/shared';
import { columnContext, showPercent, type CellProps } from '@trellis/sdk/web';
import {
  currency,
  duration,
  writeMoney,
  type CurrencyOptions,
  type DurationOptions,
  type PercentOptions,
} from '../shared/index.ts';
import { inPage } from './money-of-page.ts';

type Numeric = number | string;

export function AutoNumberCell({ value }: CellProps<Numeric>) {
  return <span className="cn-number">{value}</span>;
}

export function CurrencyCell({ value, column }: CellProps<Numeric, CurrencyOptions>) {
  return <span className="tr-cell tr-cell--number">{showMoney(value, columnContext(column, currency))}</span>;
}

/** An amount in the column's format on this page. */
export function showMoney(
  value: Numeric | null,
  { options }: Pick<ColumnContext<CurrencyOptions>, 'options'>,
) {
  return value === null ? '' : writeMoney(value, inPage(options));
}

/**
 * A duration in the column's format. Digits that the value has beyond the format are paler, so that `0:03` and `0:01:30` can be
 * told apart.
 */
export function DurationCell({ value, column, options }: CellProps<Numeric, DurationOptions>) {
  const text = duration.format(value, columnContext(column, duration));
  const [clock, rest] = splitDuration(text, options.duration);
  return (
    <span className="tr-cell tr-cell--number">
      {clock}
      {rest !== '' && <span className="cn-rest">{rest}</span>}
    </span>
  );
}

/** The number and, if the column has it, a bar that ends at a hundred. */
export function PercentCell({ value, column, options }: CellProps<Numeric, PercentOptions>) {
  const text = showPercent(value);
  if (!options.is_progress || value === null) return <span className="tr-cell tr-cell--number">{text}</span>;
  return (
    <span className="cn-progress">
      <progress max={100} value={Math.min(100, Math.max(0, Number(value)))} aria-label={column.title} />
      <span className="tr-cell tr-cell--number">{text}</span>
    </span>
  );
}
