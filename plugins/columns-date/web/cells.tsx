import { showMoment, writeTime, type MomentOptions, type TimeOptions } from '#plugins/columns-basic/shared';
import { PickerEditor, type CellProps, type EditorProps } from '@trellis/sdk/web';
import { time } from '../shared/index.ts';

export function TimeCell({ value, options }: CellProps<string, TimeOptions>) {
  return (
    <span className="tr-cell tr-cell--figures">
      {value === null ? '' : writeTime(String(value), options.time_format)}
    </span>
  );
}

const texts = {
  read: (text: string) => time.parse(text, {} as never),
  write: (value: string, options: TimeOptions) => writeTime(value, options.time_format),
};

export function TimeEditor(props: EditorProps<string, TimeOptions>) {
  return (
    <PickerEditor
      {...props}
      kind="time"
      texts={texts}
      placeholder={props.options.time_format}
      toPicker={(value) => value.slice(0, 8)}
    />
  );
}

export function YearCell({ value }: CellProps<number>) {
  return <span className="tr-cell tr-cell--number">{value}</span>;
}

/** A moment that the server set. Its seconds are shown if the column has them, and on hover. */
export function StampCell({ value, options }: CellProps<string, MomentOptions>) {
  if (value === null) return null;
  const shown = options.time_format.includes('ss') ? value : value.replace(/(:\d\d):\d\d(?:\.\d+)?/, '$1:00');
  return (
    <span className="tr-cell tr-cell--figures" title={`${showMoment(value, options)} (${options.timezone})`}>
      {showMoment(shown, options)}
    </span>
  );
}
