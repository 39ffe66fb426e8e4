import { swatches } from './swatches.ts';

/** One option of a select column. @public */
export type SelectOption = {
  /** What stays the same when it is renamed. */
  readonly id: string;
  readonly title: string;
  /** `#rrggbb`. */
  readonly color: string;
};

/** What a select column keeps: its options in their order. @public */
export type SelectOptions = { readonly options: readonly SelectOption[] };

/** Characters that the title of an option has at most. @public */
export const longestOptionTitle = 100;

/** The options with one more, in the next colour. @public */
export function withOption({ options }: SelectOptions, title: string, id: string): SelectOptions {
  const color = swatches[options.length % swatches.length] ?? '#eeeeee';
  return { options: [...options, { id, title: title.trim(), color }] };
}
