import { defineWebColumnType, defineWebPlugin, editNumber, plainNumber, showNumber } from '@trellis/sdk/web';
import {
  aggregations,
  checkbox,
  date,
  dateTime,
  decimal,
  foreignKey,
  id,
  json,
  longText,
  momentOptionsForm,
  number,
  parseMoment,
  singleLineText,
} from '../shared/index.ts';
import {
  CheckboxCell,
  DateCell,
  DateEditor,
  DecimalCell,
  JsonCell,
  KeyCell,
  NumberCell,
  TextCell,
} from './cells.tsx';
import { DateTimeCell, DateTimeEditor } from './DateTimeCell.tsx';
import { JsonEditor } from './JsonEditor.tsx';
import { LongTextCell } from './long-text/LongTextCell.tsx';
import { LongTextEditor } from './long-text/LongTextEditor.tsx';
import './columns-basic.css';

const types = [
  defineWebColumnType({ ...id, Cell: KeyCell, Editor: 'text', align: 'end' }),
  defineWebColumnType({ ...foreignKey, Cell: KeyCell, Editor: 'text', align: 'end' }),
  defineWebColumnType({ ...singleLineText, Cell: TextCell, Editor: 'text' }),
  defineWebColumnType({
    ...longText,
    Cell: LongTextCell,
    Editor: 'longText',
    editorFor: ({ richMode }) => (richMode ? LongTextEditor : 'longText'),
    WholeEditor: LongTextEditor,
  }),
  defineWebColumnType({
    ...number,
    local: {
      show: editNumber,
      edit: editNumber,
      read: (text, column) => number.parse(plainNumber(text), column),
    },
    Cell: NumberCell,
    Editor: 'text',
    align: 'end',
  }),
  defineWebColumnType({
    ...decimal,
    local: {
      show: showNumber,
      edit: editNumber,
      read: (text, column) => decimal.parse(plainNumber(text), column),
    },
    Cell: DecimalCell,
    Editor: 'text',
    align: 'end',
  }),
  defineWebColumnType({
    ...checkbox,
    Cell: CheckboxCell,
    Editor: 'text',
    align: 'center',
    toggle: (value) => !value || String(value) === '0',
  }),
  defineWebColumnType({ ...date, Cell: DateCell, Editor: DateEditor }),
  defineWebColumnType({
    ...dateTime,
    options: momentOptionsForm(),
    // People mean the column's zone; the API means UTC.
    parse: (input, column) => parseMoment(input, column.options),
    Cell: DateTimeCell,
    Editor: DateTimeEditor,
  }),
  defineWebColumnType({ ...json, Cell: JsonCell, Editor: JsonEditor }),
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const type of types) ctx.register('columnTypes', type);
    for (const aggregation of aggregations) ctx.register('aggregations', aggregation);
  },
});
