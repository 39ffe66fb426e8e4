/** Translates an English text; `{{name}}` is filled from `values`. */
export type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** Returns texts in English, for a grid without a translation. */
export const englishTexts: Translate = (text, values = {}) => {
  const form = values.count === 1 ? String(values.one ?? text) : text;
  return form.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'number' ? value.toLocaleString('en') : value;
  });
};
