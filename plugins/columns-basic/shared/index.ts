export { aggregations } from './aggregations.ts';
export { checkbox } from './checkbox.ts';
export {
  checkMomentOptions,
  date,
  dateTime,
  momentOptions,
  momentOptionsForm,
  momentsOnCalendar,
  parseMoment,
} from './date.ts';
export { dateFormats, defaultDateOptions, writeDate, type DateOptions } from './date-values.ts';
export { durationFormats, splitDuration, writeDuration } from './duration-values.ts';
export { json } from './json.ts';
export { foreignKey, id } from './keys.ts';
export { longText, type LongTextOptions } from './long-text.ts';
export { clockOf, showMoment, writeMoment, type MomentOptions } from './moments.ts';
export { decimal, number } from './number.ts';
export { defaultMoneyLocale, isWrittenAsPage, moneyLocales, type MoneyFormat } from './money-locales.ts';
export { orderOperators, textOperators } from './operators.ts';
export { singleLineText } from './single-line-text.ts';
export {
  defaultTimeOptions,
  readTime,
  timeFormatProperty,
  timeFormats,
  writeTime,
  type TimeOptions,
} from './time-values.ts';
export { isZone, momentAt, zoneOffset } from './zones.ts';
