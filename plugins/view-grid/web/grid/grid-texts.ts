/** Translates an English text; `{{name}}` is filled from `values`. */
export type GridTranslate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** Leaves texts in English, for a grid that is given no translation. */
export const englishTexts: GridTranslate = (text, values) =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values?.[name];
    return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString('en') : value;
  });
