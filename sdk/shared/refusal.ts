/**
 * The reason of a refusal. `message` is in English and is the key of its translations; `{{name}}` in it is replaced by the param
 * of that name: `{ message: 'must be at most {{most}}', params: { most: 5 } }`.
 * @public
 */
export interface Refusal {
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The text of a refusal in English, with its params filled in. @public */
export function refusalText({ message, params }: Refusal): string {
  return params === undefined
    ? message
    : message.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
        String(params[name] ?? placeholder),
      );
}
