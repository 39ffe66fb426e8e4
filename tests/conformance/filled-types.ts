import type { ColumnTypeDefinition } from '@trellis/sdk/shared';
import { attachment } from '../../plugins/column-attachment/shared/index.ts';
import { rating } from '../../plugins/column-rating/shared/index.ts';
import {
  checkbox,
  date,
  dateTime,
  decimal,
  foreignKey,
  json,
  longText,
  number,
  singleLineText,
} from '../../plugins/columns-basic/shared/index.ts';
import { time, year } from '../../plugins/columns-date/shared/index.ts';
import { currency, duration, percent } from '../../plugins/columns-number/shared/index.ts';
import { collaborator } from '../../plugins/columns-people/shared/index.ts';
import { multiSelect, singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { barcode, geometry, qrCode } from '../../plugins/columns-special/shared/index.ts';
import { email, password, phoneNumber, url } from '../../plugins/columns-text/shared/index.ts';

/** The column types that people can fill, of the plugin that always exists. Keys and stamps have their own suites. */
export const basicTypes = [
  singleLineText,
  longText,
  number,
  decimal,
  checkbox,
  date,
  dateTime,
  json,
  foreignKey,
] as unknown as readonly ColumnTypeDefinition[];
/** The other types, by their plugins. */
export const switchableTypes = {
  'column-attachment': [attachment],
  'column-rating': [rating],
  'columns-text': [email, url, phoneNumber, password],
  'columns-date': [time, year],
  'columns-number': [currency, percent, duration],
  'columns-people': [collaborator],
  'columns-select': [singleSelect, multiSelect],
  'columns-special': [barcode, qrCode, geometry],
} as unknown as Readonly<Record<string, readonly ColumnTypeDefinition[]>>;
