import { columnText, otherNames, signatureOf } from '../shared/index.ts';
import type { FormulaFunctions } from './use-formula-functions.ts';

/** A text that may be inserted at the caret. */
export interface Completion {
  readonly id: string;
  readonly label: string;
  readonly kind: 'function' | 'column';
  /** The text that replaces that from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  /** The caret's place afterwards. */
  readonly caret: number;
}

/** The caret's place in a possibly incomplete formula. */
interface CaretPlace {
  readonly kind: 'text' | 'brace' | 'plain';
  /** The place of the open brace or quote. */
  readonly from: number;
  /** The calls around the caret, innermost last. */
  readonly calls: readonly OpenCall[];
}

interface OpenCall {
  readonly name: string;
  /** The argument with the caret, from 0. */
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

/** The innermost known function whose arguments contain the caret. */
export function callAt(text: string, caret: number, functions: FormulaFunctions): OpenCall | undefined {
  const { calls } = placeOf(text, caret);
  return calls.findLast(({ name }) => functions.has(name.toUpperCase()));
}

/**
 * The completions at the caret, best first: columns in braces, and functions and columns where a word begins. Functions are also
 * found by their names in other products.
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

/** Names that begin with the typed text, then those that contain it. */
function like(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((name) => !begins(name))];
}
