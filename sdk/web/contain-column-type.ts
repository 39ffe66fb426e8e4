import {
  checkedRead,
  checkedText,
  type CellValue,
  type ColumnContext,
  type ParseResult,
} from '../shared/index.ts';
import type { WebColumnType } from './extensions/index.ts';

/**
 * The type as the page calls it: an error of it is reported once and affects only the cell. A text that it should parse is refused,
 * so that it stays where it was typed, and a value that it should format is shown as stored.
 */
export function containColumnType(
  type: WebColumnType,
  tell: (where: string, error: unknown) => void,
): WebColumnType {
  const told = new Set<string>();

  function contained<One, Other, Answer>(
    name: string,
    ask: (one: One, other: Other) => Answer,
    instead: (one: One) => Answer,
  ) {
    return (one: One, other: Other): Answer => {
      try {
        return ask(one, other);
      } catch (error) {
        // This may run during rendering, and the receiver of the report may render again.
        if (!told.has(name)) queueMicrotask(() => tell(`${name}() of ${type.id}`, error));
        told.add(name);
        return instead(one);
      }
    };
  }

  const [parse, format] = [type.parse.bind(type), type.format.bind(type)];
  // A type may be an instance of a class, whose methods are not its own.
  return Object.assign(Object.create(Object.getPrototypeOf(type) as object) as WebColumnType, type, {
    parse: contained(
      'parse',
      (input: unknown, column: ColumnContext) => checkedRead(parse(input, column)),
      () => unread,
    ),
    format: contained(
      'format',
      (value: CellValue | null, column: ColumnContext) => checkedText(format(value, column)),
      stored,
    ),
  } satisfies Partial<WebColumnType>);
}

const unread: ParseResult<CellValue> = {
  ok: false,
  message: 'cannot be read, because its column type failed',
};

function stored(value: CellValue | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
