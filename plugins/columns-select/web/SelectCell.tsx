import type { SelectOptions } from '@trellis/sdk/shared';
import type { CellProps, StyleWithVariables } from '@trellis/sdk/web';
import { inkOn } from '@trellis/sdk/web/ui';
import { optionOf, titlesOf } from '../shared/index.ts';

/** An option in its colour; a title without an option has a frame. */
function OptionChip({ title, options }: { readonly title: string; readonly options: SelectOptions }) {
  const color = optionOf(options, title)?.color;
  if (color === undefined) return <span className="cs-chip cs-chip--unknown">{title}</span>;
  const style: StyleWithVariables = { '--cs-color': color, '--cs-ink': inkOn(color) };
  return (
    <span className="cs-chip" style={style}>
      {title}
    </span>
  );
}

export function SingleSelectCell({ value, options }: CellProps<string, SelectOptions>) {
  return value === null || value === '' ? null : <OptionChip title={value} options={options} />;
}

export function MultiSelectCell({ value, options }: CellProps<string, SelectOptions>) {
  return <OptionChips titles={titlesOf(value)} options={options} />;
}

export function OptionChips(props: { readonly titles: readonly string[]; readonly options: SelectOptions }) {
  return (
    <span className="cs-chips">
      {props.titles.map((title) => (
        <OptionChip key={title} title={title} options={props.options} />
      ))}
    </span>
  );
}
