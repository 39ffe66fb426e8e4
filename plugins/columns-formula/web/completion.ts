import { columnText, otherNames, signatureOf } from '../shared/index.ts';
import type { FormulaFunctions } from './use-formula-functions.ts';

/** Something that may stand where the caret is. */
export interface Completion {
  readonly id: string;
  readonly label: string;
  readonly kind: 'function' | 'column';
  /** What is written in place of the text from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  /** Where the caret is then. */
  readonly caret: number;
}

/** Where a caret stands in a formula that may be half written. */
interface CaretPlace {
  readonly kind: 'text' | 'brace' | 'plain';
  /** Where the open brace or quote is. */
  readonly from: number;
  /** The calls around the caret, the innermost last. */
  readonly calls: readonly OpenCall[];
}

interface OpenCall {
  readonly name: string;
  /** Which argument the caret is in, from 0. */
  readonly index: number;
}

const wordEnd = /[\p{L}_][\p{L}\p{N}_]*$/u;
const wordRest = /^[\p{L}\p{N}_]*/u;
const most = 8;

function placeOf(text: string, caret: number): CaretPlace {
  const calls: { name: string; index: number }[] = [];
  let at = 0;
  while (at < caret) {
    const character = text.charAt(at);
    if (character === '{' || character === '"' || character === "'") {
      const close = closeOf(text, at, character === '{' ? '}' : character);
      if (close === undefined || close >= caret)
        return { kind: character === '{' ? 'brace' : 'text', from: at, calls };
      at = close;
    } else if (character === '(') calls.push({ name: wordEnd.exec(text.slice(0, at))?.[0] ?? '', index: 0 });
    else if (character === ')') calls.pop();
    else if (character === ',' || character === ';') {
      const call = calls.at(-1);
      if (call !== undefined) call.index += 1;
    }
    at += 1;
  }
  return { kind: 'plain', from: caret, calls };
}

function closeOf(text: string, open: number, sign: string): number | undefined {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === sign) return at;
  }
  return undefined;
}

/** The function whose arguments the caret is in, the innermost one that there is. */
export function callAt(text: string, caret: number, functions: FormulaFunctions): OpenCall | undefined {
  const { calls } = placeOf(text, caret);
  return calls.findLast(({ name }) => functions.has(name.toUpperCase()));
}

/**
 * What may stand where the caret is, best first: columns in braces, and functions and columns where a word begins. Functions are found
 * by the names that they have in other products, too.
 */
export function completionsAt(
  text: string,
  caret: number,
  { titles, functions }: { readonly titles: readonly string[]; readonly functions: FormulaFunctions },
): readonly Completion[] {
  const place = placeOf(text, caret);
  if (place.kind === 'text') return [];
  if (place.kind === 'brace') {
    const rest = /^[^{}"'(),;]*\}/.exec(text.slice(caret))?.[0] ?? '';
    return columnsLike(text.slice(place.from + 1, caret), titles, place.from, caret + rest.length);
  }
  const word = wordEnd.exec(text.slice(0, caret))?.[0] ?? '';
  if (word === '') return [];
  const [from, to] = [caret - word.length, caret + (wordRest.exec(text.slice(caret))?.[0].length ?? 0)];
  const called = functionsLike(functions, word, { from, to, hasBracket: text.charAt(to) === '(' });
  return [...called, ...columnsLike(word, titles, from, to)].slice(0, most);
}

function columnsLike(
  typed: string,
  titles: readonly string[],
  from: number,
  to: number,
): readonly Completion[] {
  return like(typed, titles)
    .slice(0, most)
    .map((title) => {
      const insert = columnText(title);
      return {
        id: `column ${title}`,
        label: title,
        kind: 'column',
        insert,
        from,
        to,
        caret: from + insert.length,
      };
    });
}

function functionsLike(
  functions: FormulaFunctions,
  typed: string,
  { from, to, hasBracket }: { readonly from: number; readonly to: number; readonly hasBracket: boolean },
): readonly Completion[] {
  const elsewhere = [...otherNames.keys()].filter((other) => other.startsWith(typed.toUpperCase()));
  const named = elsewhere.flatMap((other) => otherNames.get(other) ?? []);
  return [...new Set([...like(typed, [...functions.keys()]), ...named])].flatMap(
    (name): readonly Completion[] => {
      const definition = functions.get(name);
      if (definition === undefined) return [];
      const insert = hasBracket ? name : `${name}()`;
      const inside = hasBracket || definition.parameters.length > 0 ? name.length + 1 : insert.length;
      return [
        {
          id: `function ${name}`,
          label: signatureOf(definition),
          kind: 'function',
          insert,
          from,
          to,
          caret: from + inside,
        },
      ];
    },
  );
}

/** Names that begin with what was typed, and then those in which it stands. */
function like(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((name) => !begins(name))];
}
