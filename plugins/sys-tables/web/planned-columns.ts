import type { WebColumnType, WiderBlock } from '@trellis/sdk/web';
import { freeName, nameProblem } from './names.ts';

/** A column to add for pasted texts. */
export interface PlannedColumn {
  readonly title: string;
  readonly type: WebColumnType | undefined;
  /** Its initial options, besides the type's defaults. */
  readonly options: Readonly<Record<string, unknown>> | undefined;
}

/** The type for texts that fit no other type. */
const plainText = 'SingleLineText';
/** Maximum length of a name. */
const longestName = 60;

/** The type that fits the texts best; a line of text if none does. */
function typeOfTexts(texts: readonly string[], types: readonly WebColumnType[]): WebColumnType | undefined {
  const samples = texts.filter((text) => text.trim() !== '');
  const plain = types.find(({ id }) => id === plainText);
  if (samples.length === 0) return plain;
  let best = { type: plain, score: 0 };
  for (const type of types) {
    if (type.creatable === false || type.editable === false || type.storage === 'virtual') continue;
    const score = type.guess?.(samples) ?? 0;
    if (score > best.score) best = { type, score };
  }
  return best.type;
}

/** Whether values of the type may look like names; dates and numbers do not. */
function isOfWords(type: WebColumnType | undefined): boolean {
  return type === undefined || ['string', 'text', 'boolean'].includes(type.storage);
}

/**
 * Whether a block's first row looks like column names: every cell is filled, all differ, none is a value such as a number or an
 * address, and none occurs below again. A word above dates or numbers proves that the row contains names; then a name may be a
 * checkbox word such as `Done`, or occur below.
 */
export function readsLikeNames(rows: WiderBlock['rows'], types: readonly WebColumnType[]): boolean {
  const [first = [], ...rest] = rows;
  const width = Math.max(0, ...rows.map((row) => row.length));
  const names = first.map((text) => text.trim());
  if (rest.length === 0 || names.length < width || new Set(names).size < names.length) return false;
  const below = (at: number) => rest.map((row) => row[at] ?? '');
  const isProved = names.some(
    (name, at) => isOfWords(typeOfTexts([name], types)) && !isOfWords(typeOfTexts(below(at), types)),
  );
  return names.every((name, at) => {
    const isName = name !== '' && name.length <= longestName && nameProblem('Column', name, []) === undefined;
    const type = typeOfTexts([name], types);
    const isPlain = (type?.id ?? plainText) === plainText;
    const isBelow = below(at).some((text) => text.trim() === name);
    return isName && (isProved ? isPlain || type?.storage === 'boolean' : isPlain && !isBelow);
  });
}

/** The columns for the texts that have none, each with its own name. */
export function plannedColumns(
  { rows, from }: WiderBlock,
  of: {
    readonly isNamed: boolean;
    readonly types: readonly WebColumnType[];
    readonly taken: readonly string[];
    /** The name of a column without a name in the texts. */
    readonly unnamed: string;
  },
): readonly PlannedColumn[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const taken = [...of.taken];
  return Array.from({ length: Math.max(0, width - from) }, (_, at) => {
    const texts = rows.map((row) => row[from + at] ?? '');
    const name = of.isNamed ? (texts[0]?.trim() ?? '') : '';
    const title = freeName(name === '' ? of.unnamed : name, taken);
    taken.push(title);
    const values = of.isNamed ? texts.slice(1) : texts;
    const type = typeOfTexts(values, of.types);
    return { title, type, options: type?.newOptions?.(values) };
  });
}
