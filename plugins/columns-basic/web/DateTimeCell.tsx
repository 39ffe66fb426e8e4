import { PickerEditor, type CellProps, type EditorProps } from '@trellis/sdk/web';
import { clockOf, parseMoment, showMoment, type MomentOptions } from '../shared/index.ts';

/** A moment in the column's zone; hovering shows the zone's name. */
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

/** A typed moment without a zone is in the column's zone. */
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
