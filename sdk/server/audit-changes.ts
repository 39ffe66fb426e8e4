import { auditSentence, type AuditText } from './audit-text.ts';
import { escapeHtml } from './escape-html.ts';

/** One thing that was changed. Values are texts, and absent where there was or is nothing. @public */
export interface AuditChange {
  /** The title of a column, or a word of ours (`auditText('Title', {})`), which pages translate. */
  readonly what: string | AuditText;
  readonly from?: string;
  readonly to?: string;
}

/** Characters of a value that the audit tells. */
const mostCharacters = 300;

/** A value as the audit tells it: what has a title by its title. Undefined for what is empty, and for a rule that does not hold. */
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

/** What changed of one thing; undefined where it is as it was. @public */
export function auditChange(
  what: AuditChange['what'],
  sides: { readonly from?: unknown; readonly to?: unknown },
): AuditChange | undefined {
  // As a whole: what is told of two long texts may be the same.
  if (JSON.stringify(sides.from ?? null) === JSON.stringify(sides.to ?? null)) return undefined;
  const [before, after] = differing(sides.from, sides.to);
  const [from, to] = [toldValue(before), toldValue(after)];
  if (from === undefined && to === undefined) return undefined;
  return { what, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Of two objects the fields that are not the same in both. */
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
 * The parts of something in which two states of it differ, in the order of the words. Without `before` it was made, without `after` it
 * is gone.
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

/** The `details` of a line of the v1 API: HTML in which what was is struck through and what is stands out. Null for no change. @public */
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
