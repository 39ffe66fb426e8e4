import {
  columnContext,
  editNumber,
  PickerEditor,
  showNumber,
  type CellProps,
  type EditorProps,
} from '@trellis/sdk/web';
import { date, json, writeDate, type DateOptions } from '../shared/index.ts';

/** A text on one line; line breaks appear as spaces until the row is opened. */
export function TextCell({ value }: CellProps<string>) {
  return <span className="tr-cell">{value}</span>;
}

/** A key with its digits unchanged. */
export function KeyCell({ value }: CellProps<string | number>) {
  return <span className="tr-cell tr-cell--number">{value}</span>;
}

/** Whole numbers have no thousands separators, because many are years or item numbers. */
export function NumberCell({ value }: CellProps<string | number>) {
  return <span className="tr-cell tr-cell--number">{editNumber(value)}</span>;
}

export function DecimalCell({ value }: CellProps<string | number>) {
  return <span className="tr-cell tr-cell--number">{showNumber(value)}</span>;
}

/** A checkbox cell; a click saves at once. */
export function CheckboxCell({ value, column, onChange }: CellProps<boolean>) {
  const ticked = Boolean(value) && String(value) !== '0';
  return (
    <button
      type="button"
      tabIndex={-1}
      role="checkbox"
      aria-checked={ticked}
      aria-label={column.title}
      disabled={onChange === undefined}
      className={ticked ? 'cb-checkbox cb-checkbox--on' : 'cb-checkbox'}
      onClick={() => onChange?.(!ticked)}
    >
      {ticked && <i className="pi pi-check" aria-hidden="true" />}
    </button>
  );
}

export function DateCell({ value, column }: CellProps<string, DateOptions>) {
  return <span className="tr-cell tr-cell--figures">{date.format(value, columnContext(column, date))}</span>;
}

export function JsonCell({ value, column }: CellProps) {
  return <code className="tr-cell cb-json">{json.format(value, columnContext(column, json))}</code>;
}

const texts = {
  read: (text: string, options: DateOptions) => date.parse(text, { options } as never),
  write: (value: string, options: DateOptions) => writeDate(value, options.date_format),
};

export function DateEditor(props: EditorProps<string, DateOptions>) {
  return (
    <PickerEditor
      {...props}
      kind="date"
      texts={texts}
      placeholder={props.options.date_format}
      toPicker={(value) => value.slice(0, 10)}
    />
  );
}
