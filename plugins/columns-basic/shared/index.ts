export { checkbox } from './checkbox.ts';
export { date, dateTime } from './date.ts';
export { dateFormats, defaultDateOptions, writeDate, type DateOptions } from './date-values.ts';
export { json } from './json.ts';
export { foreignKey, id } from './keys.ts';
export { longText } from './long-text.ts';
export { decimal, number } from './number.ts';
export { orderOperators, textOperators } from './operators.ts';
export { singleLineText } from './single-line-text.ts';
