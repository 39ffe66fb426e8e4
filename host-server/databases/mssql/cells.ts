/** The driver's description of a column of a result. */
export interface CellType {
  readonly type: { readonly name: string };
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
}

type ReadCell = (value: unknown) => unknown;

/** A moment as the driver gives it: UTC, with what is finer than a millisecond beside it, in seconds. */
type FineDate = Date & { readonly nanosecondsDelta?: number };

function isDate(value: unknown): value is FineDate {
  return value instanceof Date || Object.prototype.toString.call(value) === '[object Date]';
}

/** `HH:MM:SS` with the digits of the fraction that are not zero, seven at the most. */
function clockOf(moment: FineDate): string {
  const iso = moment.toISOString();
  const finer = Math.round((moment.nanosecondsDelta ?? 0) * 1e7);
  const fraction = `${iso.slice(20, 23)}${String(finer).padStart(4, '0')}`.replace(/0+$/, '');
  return iso.slice(11, 19) + (fraction === '' ? '' : `.${fraction}`);
}

/** Digits that a double has for sure. */
const sureDigits = 15;

/** Short decimals are exact as a double; longer ones are asked for as text (`FunctionSql.shown`). */
function decimalReader({ precision = 19, scale = 4 }: CellType): ReadCell {
  return (value) => {
    if (typeof value !== 'number') return value;
    return precision <= sureDigits ? value.toFixed(scale) : String(value);
  };
}

const asDay: ReadCell = (value) => (isDate(value) ? value.toISOString().slice(0, 10) : value);
const asTime: ReadCell = (value) => (isDate(value) ? clockOf(value) : value);
const asMoment: ReadCell = (value) =>
  isDate(value) ? `${value.toISOString().slice(0, 10)} ${clockOf(value)}` : value;

/**
 * Reads the cells of a column: dates as text, since a `Date` has lost digits and would be moved by zones, and decimals as their
 * digits. Undefined where the driver's value stays as it is.
 */
export function cellReader(of: CellType): ReadCell | undefined {
  const { name } = of.type;
  if (name === 'Date') return asDay;
  if (name === 'Time') return asTime;
  if (name.includes('DateTime') || name === 'Variant') return asMoment;
  return /^(?:Numeric|Decimal|Small|Money)/.test(name) && name !== 'SmallInt' ? decimalReader(of) : undefined;
}
