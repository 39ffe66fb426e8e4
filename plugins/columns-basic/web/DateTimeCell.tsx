import { PickerEditor, type CellProps, type EditorProps } from '@trellis/sdk/web';
import { clockOf, parseMoment, showMoment, type MomentOptions } from '../shared/index.ts';

/** A moment by the clocks of its column's zone, which is named on hover. */
export function DateTimeCell({ value, options }: CellProps<string, MomentOptions>) {
  return (
    <span
      className="tr-cell tr-cell--figures"
      title={options.timezone === 'UTC' ? undefined : options.timezone}
    >
      {value === null ? '' : showMoment(String(value), options)}
    </span>
  );
}

const texts = { read: parseMoment, write: showMoment };

/** What is typed without a zone is meant by the clocks of the column's zone. */
export function DateTimeEditor(props: EditorProps<string, MomentOptions>) {
  const { options } = props;
  return (
    <PickerEditor
      {...props}
      kind="datetime-local"
      texts={texts}
      placeholder={`${options.date_format} ${options.time_format}`}
      toPicker={(value) => (clockOf(value, options)?.clock ?? '').replace(' ', 'T')}
    />
  );
}
