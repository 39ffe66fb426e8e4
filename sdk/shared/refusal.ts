/**
 * Why something is refused. `message` is English and the key of its translations; `{{name}}` in it stands for the param of that name:
 * `{ message: 'must be at most {{most}}', params: { most: 5 } }`.
 * @public
 */
export interface Refusal {
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** What a refusal says in English, with its params. @public */
export function refusalText({ message, params }: Refusal): string {
  return params === undefined
    ? message
    : message.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
        String(params[name] ?? placeholder),
      );
}
