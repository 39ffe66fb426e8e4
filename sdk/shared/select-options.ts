import { swatches } from './swatches.ts';

/** One option of a select column. @public */
export type SelectOption = {
  /** Stays the same when the option is renamed. */
  readonly id: string;
  readonly title: string;
  /** `#rrggbb`. */
  readonly color: string;
};

/** The stored options of a select column, in order. @public */
export type SelectOptions = { readonly options: readonly SelectOption[] };

/** The most characters of an option's title. @public */
export const longestOptionTitle = 100;

/** The options with a further one, in the next colour. @public */
export function withOption({ options }: SelectOptions, title: string, id: string): SelectOptions {
  const color = swatches[options.length % swatches.length] ?? '#eeeeee';
  return { options: [...options, { id, title: title.trim(), color }] };
}
