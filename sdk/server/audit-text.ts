/** The names that a sentence fills in: `title` of `Table {{title}} was created`. */
type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * What the audit says of something that was done: an English sentence, and what its `{{names}}` stand for. Both are kept, so that a page
 * says it in the language of its reader; the v1 API has the English sentence. A value `role` is a role, whose name is translated too.
 * @public
 */
export interface AuditText {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A sentence for the audit: `auditText('The automation {{title}} was made', { title })`. The plugin's messages have it by its text.
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
