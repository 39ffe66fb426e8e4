import { longestOptionTitle, withOption, type SelectOptions } from '@trellis/sdk/shared';
import { hasPermission, randomKey, type ApiClient, type WebColumnType } from '@trellis/sdk/web';
import { mostOptions, optionOf, titlesOf } from '../shared/index.ts';
import { changeOptions, optionsOf } from './change-options.ts';
import { madeOptions } from './made-options.ts';

/** The end of a sentence that begins with the column's title. */
const refused = { message: 'has no such option' };

/** Turns pasted texts into options, in one change of the column, if the person may change it. */
export function adoptOptions(api: ApiClient, isMultiple: boolean): NonNullable<WebColumnType['adopt']> {
  return async function adopt(texts, { project, table, column }) {
    const titlesIn = (text: string) => (isMultiple ? titlesOf(text) : [text]).map((title) => title.trim());
    const missingIn = (of: SelectOptions) =>
      new Set(texts.flatMap(titlesIn).filter((title) => title !== '' && optionOf(of, title) === undefined));
    if (missingIn(optionsOf(column)).size === 0) return { refused: new Map() };
    const mayAdd = hasPermission('columnUpdate', project) && table.type !== 'view';
    let former = optionsOf(column);
    const withMissing = (before: SelectOptions): SelectOptions => {
      former = before;
      return [...missingIn(before)]
        .filter((title) => title.length <= longestOptionTitle)
        .reduce(
          (of, title) =>
            optionOf(of, title) === undefined && of.options.length < mostOptions
              ? withOption(of, title, `sl_${randomKey()}`)
              : of,
          before,
        );
    };
    const known = mayAdd ? await changeOptions(api, column, withMissing) : former;
    const made = known.options.filter((of) => !former.options.includes(of));
    const left = missingIn(known);
    return {
      refused: new Map(
        texts
          .filter((text) => titlesIn(text).some((title) => left.has(title)))
          .map((text) => [text, refused.message]),
      ),
      made: made.length > 0 ? madeOptions(api, column, made) : undefined,
    };
  };
}
