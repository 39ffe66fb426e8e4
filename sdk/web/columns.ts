import {
  failedValidator,
  isFilled,
  type AskedAs,
  type CellValue,
  type ColumnContext,
  type ColumnEntity,
  type ComputedResult,
  type ParseResult,
  type StorageKind,
  type TableEntity,
} from '../shared/index.ts';
import type { Translate } from './context.ts';
import type { WebColumnType } from './extensions/index.ts';

/** The part of a column type that says what its options are when nobody chose. */
type Optioned<Options> = { readonly options?: { readonly defaults: Options } };

const contexts = new WeakMap<ColumnEntity, WeakMap<object, ColumnContext<never>>>();

/** What a column type is told of a column: the same object as long as both stay the same. @public */
export function columnContext<Options>(
  column: ColumnEntity,
  type: Optioned<Options>,
): ColumnContext<Options> {
  const ofColumn = contexts.get(column) ?? new WeakMap<object, ColumnContext<never>>();
  contexts.set(column, ofColumn);
  const known = ofColumn.get(type);
  if (known !== undefined) return known;
  const made: ColumnContext<Options> = {
    id: column.id,
    title: column.title,
    required: column.rqd,
    storage: column.storage,
    // What a column keeps was checked by its type's schema when it was saved.
    options: { ...type.options?.defaults, ...column.meta } as Options,
    ...resultIn(column.colOptions),
  };
  ofColumn.set(type, made as ColumnContext<never>);
  return made;
}

/** What the cells of a column are edited by. @public */
export function editorOfColumn(column: ColumnEntity, type: WebColumnType): WebColumnType['Editor'] {
  return type.editorFor?.(columnContext(column, type).options) ?? type.Editor;
}

function resultIn(colOptions: unknown): { readonly result?: ComputedResult } {
  const { result } = (colOptions ?? {}) as { readonly result?: unknown };
  return typeof result === 'object' && result !== null ? { result: result as ComputedResult } : {};
}

/** The kind of a column's values, computed or stored; undefined where nobody knows, and where a cell holds a list of them. @public */
export function kindOfValues(column: ColumnEntity): StorageKind | undefined {
  return column.asked?.several === true ? undefined : kindOfEach(column);
}

/** As `kindOfValues`; of each value where a cell holds a list of them. @public */
export function kindOfEach({ virtual, storage, asked }: ColumnEntity): StorageKind | undefined {
  return virtual === true ? asked?.storage : storage;
}

/** Whether a cell holds a list: rows of a link that may lead to several, or values of such rows. @public */
export function holdsSeveral({ virtual, asked, colOptions }: ColumnEntity): boolean {
  if (asked !== undefined) return asked.several === true;
  const { type } = (colOptions ?? {}) as { readonly type?: unknown };
  return virtual === true && (type === 'hm' || type === 'mm');
}

/** A column as whoever asks for its values knows it. @public */
export interface AskedColumn {
  /** Of a computed one the stored column that has its id and title, and its values. */
  readonly column: ColumnEntity;
  /** Undefined while the plugin of its type is off. */
  readonly type: WebColumnType | undefined;
}

/**
 * By what conditions ask for a column and calendars read it: a stored column as it is, a computed one as its type says on the server. The
 * same objects as long as the column stays the same.
 * @public
 */
export function askedColumn(column: ColumnEntity, types: readonly WebColumnType[]): AskedColumn {
  const { asked } = column;
  const type = asked && types.find(({ id }) => id === asked.uidt);
  return asked === undefined || type === undefined
    ? { column, type: types.find(({ id }) => id === column.uidt) }
    : { column: storedLike(column, asked), type };
}

const storedColumns = new WeakMap<ColumnEntity, ColumnEntity>();

function storedLike(column: ColumnEntity, { uidt, storage, meta }: AskedAs): ColumnEntity {
  const known = storedColumns.get(column) ?? {
    ...column,
    uidt,
    storage,
    meta,
    virtual: null,
    colOptions: undefined,
  };
  storedColumns.set(column, known);
  return known;
}

/** Whether a column says when rows are: each cell is one day or moment, stored or computed. @public */
export function isDated(column: ColumnEntity, types: readonly WebColumnType[]): boolean {
  return column.asked?.several !== true && askedColumn(column, types).type?.calendar !== undefined;
}

/** Why people cannot write cells of a column, in their words; undefined where they can. @public */
export function whyReadOnly(
  column: ColumnEntity,
  type: WebColumnType | undefined,
  t: Translate,
): string | undefined {
  const { title, uidt } = column;
  if (type === undefined)
    return t('The column type {{type}} is switched off: its values are shown, not changed.', { type: uidt });
  if (column.ai || column.au || isFilled(type) || (column.system && uidt !== 'ForeignKey'))
    return t('“{{title}}” is filled in by the database.', { title });
  if (column.read_only === true) return t('You may read “{{title}}”, not change it.', { title });
  if (type.open !== undefined) return t('“{{title}}” is changed where it is opened: press Enter.', { title });
  if (column.generated === true)
    return t('“{{title}}” is read from the database and not written.', { title });
  if (type.editable === false || column.virtual === true)
    return t('“{{title}}” is worked out, not typed.', { title });
  return undefined;
}

/** Whether a person must give a value to a new row, since the database has none of its own. @public */
export function needsValue(column: ColumnEntity): boolean {
  return column.rqd && !column.ai && !column.au && column.cdf === null && column.virtual !== true;
}

/** A value as text: by its type, or as it is stored where no plugin provides the type. @public */
export function formatCell(value: unknown, column: ColumnEntity, type: WebColumnType | undefined): string {
  if (type !== undefined) return type.format((value ?? null) as CellValue, columnContext(column, type));
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as people read it in the language of the page. What is copied, saved and exported is `formatCell`. @public */
export function showCell(value: unknown, column: ColumnEntity, type: WebColumnType | undefined): string {
  const { local } = type ?? {};
  if (type === undefined || local === undefined) return formatCell(value, column, type);
  return local.show((value ?? null) as CellValue, columnContext(column, type));
}

/**
 * A value outside of its cell, such as where it names its row: as `showCell`, but nothing of one that stays covered until somebody asks.
 *
 * @public
 */
export function showInHeading(value: unknown, column: ColumnEntity, type: WebColumnType | undefined): string {
  return type?.isCovered === true ? '' : showCell(value, column, type);
}

/** The text that an editor of a value begins with; `readTyped` gives the value back for it. @public */
export function editedText(value: unknown, column: ColumnEntity, type: WebColumnType | undefined): string {
  const edit = type?.local?.edit;
  if (type === undefined || edit === undefined) return formatCell(value, column, type);
  return edit((value ?? null) as CellValue, columnContext(column, type));
}

/** Whether a table has such a column that people made: keys and stamps of the system do not count. @public */
export function hasOwnColumn(table: TableEntity, isMeant: (column: ColumnEntity) => boolean): boolean {
  return table.columns?.some((column) => !column.system && isMeant(column)) === true;
}

/** What became of a text for a cell; `message` is a sentence for the person. @public */
export type ReadCell =
  { readonly ok: true; readonly value: CellValue } | { readonly ok: false; readonly message: string };

/** Reads and checks a text that was pasted or came from elsewhere; an empty one empties the cell where that is allowed. @public */
export function readCell(
  text: string,
  column: ColumnEntity,
  type: WebColumnType | undefined,
  t: Translate,
): ReadCell {
  if (type === undefined) return { ok: true, value: text };
  const parsed = type.parse(text === '' ? null : text, columnContext(column, type));
  return checkRead(parsed, column, type, t);
}

/** Reads and checks a text that a person typed, who writes as the language of the page does. @public */
export function readTyped(
  text: string,
  column: ColumnEntity,
  type: WebColumnType | undefined,
  t: Translate,
): ReadCell {
  const read = type?.local?.read;
  if (type === undefined || read === undefined || text === '') return readCell(text, column, type, t);
  return checkRead(read(text, columnContext(column, type)), column, type, t);
}

function checkRead(
  parsed: ParseResult<CellValue>,
  column: ColumnEntity,
  type: WebColumnType,
  t: Translate,
): ReadCell {
  if (!parsed.ok)
    return {
      ok: false,
      message: t('“{{title}}” {{problem}}.', {
        title: column.title,
        problem: t(parsed.message, parsed.params),
      }),
    };
  return checkCell(parsed.value, column, type, t);
}

/** Checks a value that an editor gives. @public */
export function checkCell(
  value: CellValue,
  column: ColumnEntity,
  type: WebColumnType,
  t: Translate,
): ReadCell {
  if (value === null) {
    return column.rqd
      ? { ok: false, message: t('“{{title}}” must not be empty.', { title: column.title }) }
      : { ok: true, value };
  }
  const context = columnContext(column, type);
  const validator = failedValidator(type, value, context);
  if (validator !== undefined) {
    const { id, message } = validator;
    if (message === undefined) {
      const values = { validator: id, title: column.title };
      return { ok: false, message: t('Validation failed : {{validator}} ({{title}})', values) };
    }
    const values = { title: column.title, problem: t(message) };
    return { ok: false, message: t('“{{title}}” {{problem}}.', values) };
  }
  const problem = type.validate?.(value, context);
  return problem === undefined
    ? { ok: true, value }
    : {
        ok: false,
        message: t('“{{title}}” {{problem}}.', {
          title: column.title,
          problem: t(problem.message, problem.params),
        }),
      };
}

/** The options of a column that chooses from a list, in their order, each with its colour (`#2d6fdb`) where it has one. @public */
export function optionColors(
  column: Pick<ColumnEntity, 'meta'> | undefined,
): ReadonlyMap<string, string | undefined> {
  const { options } = (column?.meta ?? {}) as { readonly options?: unknown };
  if (!Array.isArray(options)) return new Map();
  return new Map(
    (options as readonly { readonly title: string; readonly color?: string }[]).map(({ title, color }) => [
      title,
      color,
    ]),
  );
}
