/** The names in a sentence: `title` in `Table {{title}} was created`. */
type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * A sentence of the audit: the English text, and the values of its `{{names}}`. Both are stored, so that a page can translate the
 * sentence; the v1 API returns it in English. The value `role` is a role, whose name is translated too.
 * @public
 */
export interface AuditText {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A sentence for the audit: `auditText('The automation {{title}} was made', { title })`. The plugin's messages contain its
 * translations under the text.
 * @public
 */
export function auditText<Text extends string>(
  text: Text,
  values: Readonly<Record<NamesIn<Text>, string>>,
): AuditText {
  return { text, values };
}

/** The English sentence. @public */
export function auditSentence(told: string | AuditText): string {
  if (typeof told === 'string') return told;
  const { text, values } = told;
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
