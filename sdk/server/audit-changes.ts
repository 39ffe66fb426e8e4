import { auditSentence, type AuditText } from './audit-text.ts';
import { escapeHtml } from './escape-html.ts';

/** One change in the audit. Values are texts, and absent if there was or is no value. @public */
export interface AuditChange {
  /** The title of a column, or a word of the product (`auditText('Title', {})`), which pages translate. */
  readonly what: string | AuditText;
  readonly from?: string;
  readonly to?: string;
}

/** The most characters of a value in the audit. */
const mostCharacters = 300;

/** A value as text for the audit: things with a title by their title. Undefined for an empty value, and for a rule that does not apply. */
function toldValue(value: unknown): string | undefined {
  const text = inWords(value);
  if (text === '') return undefined;
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const { title } = value as { readonly title?: unknown };
  if (typeof title === 'string') return title;
  return Object.entries(value)
    .map(([name, part]) => [name, inWords(part)] as const)
    .filter(([, part]) => part !== '')
    .map(([name, part]) => `${name}: ${part}`)
    .join(', ');
}

/** The change of one field; undefined if it has not changed. @public */
export function auditChange(
  what: AuditChange['what'],
  sides: { readonly from?: unknown; readonly to?: unknown },
): AuditChange | undefined {
  // Whole values are compared, since the shortened texts of two long values may be equal.
  if (JSON.stringify(sides.from ?? null) === JSON.stringify(sides.to ?? null)) return undefined;
  const [before, after] = differing(sides.from, sides.to);
  const [from, to] = [toldValue(before), toldValue(after)];
  if (from === undefined && to === undefined) return undefined;
  return { what, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The fields that differ between two objects. */
function differing(from: unknown, to: unknown): readonly [from: unknown, to: unknown] {
  if (!isPlain(from) || !isPlain(to)) return [from, to];
  const only = (of: Fields, other: Fields) =>
    Object.fromEntries(
      Object.entries(of).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
    );
  return [only(from, to), only(to, from)];
}

type Fields = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The changes between two states, in the order of the words. Without `before` the thing was made, without `after` it was deleted.
 * @public
 */
export function auditChanges(
  words: Readonly<Record<string, AuditText>>,
  before: object | undefined,
  after: object | undefined,
): readonly AuditChange[] {
  const [former, present] = [before ?? {}, after ?? {}] as readonly [Fields, Fields];
  return Object.entries(words).flatMap(
    ([part, word]) => auditChange(word, { from: former[part], to: present[part] }) ?? [],
  );
}

/**
 * The `details` of an audit line in the v1 API: HTML with former values struck through and new ones emphasised. Null without
 * changes. @public
 */
export function auditDetails(changes: readonly AuditChange[]): string | null {
  if (changes.length === 0) return null;
  return changes
    .map(({ what, from, to }) =>
      [
        `<span>${escapeHtml(auditSentence(what))}</span>:`,
        from === undefined ? '' : `<del>${escapeHtml(from)}</del>`,
        to === undefined ? '' : `<mark>${escapeHtml(to)}</mark>`,
      ]
        .filter(Boolean)
        .join(' '),
    )
    .join('<br>');
}
