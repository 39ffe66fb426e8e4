/** The id of the step's input, and of what draws it. */
export const hoursPart = 'acme-spread.hours';

export const mostHours = 48;

/** The hours that the input holds as text; undefined for what it cannot hold. */
export function hoursOf(text: unknown): number | undefined {
  const hours = Number(text);
  return Number.isInteger(hours) && hours >= 1 && hours <= mostHours ? hours : undefined;
}
