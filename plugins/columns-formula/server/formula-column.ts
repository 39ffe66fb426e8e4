import { checkbox, date, dateTime, decimal, singleLineText } from '#plugins/columns-basic/shared';
import type {
  ColumnSchema,
  MovedOptions,
  MovedTexts,
  ProjectSnapshot,
  ServerColumnType,
  TableSchema,
  VirtualColumnPlace,
} from '@trellis/sdk/server';
import {
  defineErrors,
  type AskedAs,
  type Expression,
  type FormulaFunctionDefinition,
  type RegistryView,
} from '@trellis/sdk/shared';
import {
  addedFunctions,
  assertStorable,
  asSaved,
  columnIdsOf,
  compileFormula,
  factsOf,
  formula,
  FormulaError,
  kindOfStorage,
  parseFormula,
  renamedFormula,
  withIds,
  withTitles,
  type FormulaOptions,
  type FormulaTable,
  type Kind,
  type ReportFailure,
} from '../shared/index.ts';

const errors = defineErrors({
  FORMULA_MISSING: {
    status: 400,
    message: 'Missing `formula` property in request body',
  },
  FORMULA_INVALID: { status: 400, message: '{problem}' },
});

type Meta = Readonly<Record<string, unknown>>;

/** The current state of a formula: its kind and tree, or its problem. */
type Reading =
  | { readonly kind: Kind; readonly expression: Expression }
  | { readonly kind?: undefined; readonly problem: string };
/** `isSure` is false if it names a column whose kind only the database knows: the kind is then a guess. */
type State = Reading & { readonly isSure: boolean };

/** The host's registries for the column type, and the report of other plugins' failures. */
export interface FormulaColumnParts {
  readonly columnTypes: RegistryView<ServerColumnType>;
  /** Called on demand: the registry exists once the plugin does. */
  readonly functions: () => RegistryView<FormulaFunctionDefinition>;
  readonly report: ReportFailure;
}

/** The server part of the column type: formulas become trees, and titles become ids when they are saved. */
export function createFormulaColumn({
  columnTypes,
  functions,
  report,
}: FormulaColumnParts): ServerColumnType {
  /**
   * Formulas are compiled once for each schema of a table, and again when types or functions change. A table without hidden parts
   * is the same object in snapshots whose other tables have hidden parts, which affect lookups.
   */
  let known = new WeakMap<ProjectSnapshot, WeakMap<TableSchema, States>>();
  let knownTypes: readonly ServerColumnType[] = [];
  let knownFunctions: readonly FormulaFunctionDefinition[] = [];
  let added: FormulaTable['added'] = new Map();

  /** Drops what was compiled with former types and functions. */
  function refresh(): void {
    const [types, definitions] = [columnTypes.list(), functions().list()];
    if (types === knownTypes && definitions === knownFunctions) return;
    if (definitions !== knownFunctions) added = addedFunctions(definitions, report);
    [known, knownTypes, knownFunctions] = [new WeakMap(), types, definitions];
  }

  /** Whether a cell of a column holds several values, as in a lookup over many links. Links themselves hold rows. */
  function isList(column: ColumnSchema, snapshot: ProjectSnapshot): boolean {
    const { linked, compute } = columnTypes.get(column.type)?.server ?? {};
    const isOfValues = column.columnName === '' && linked?.(column, snapshot)?.columnId !== undefined;
    return isOfValues && compute?.(column, snapshot) === undefined;
  }

  /** The kind of a column as far as it is known without the database; `any` for a formula that is not compiled yet. */
  function kindIn(states: States): KindOf {
    return (column) => {
      if (column.columnName !== '') return kindOfStorage(column.storage);
      if (column.type === formula.id) return states.has(column) ? states.get(column)?.kind : 'any';
      return columnTypes.get(column.type)?.server?.compute === undefined ? undefined : 'any';
    };
  }

  function readIn({ table, snapshot, states }: TableReading, column: ColumnSchema): State {
    const { formula: text, gone } = optionsOf(column);
    const kindOf = kindIn(states);
    let isSure = true;
    const asked: KindOf = (of) => {
      const kind = kindOf(of);
      if (kind === 'any' || states.get(of)?.isSure === false) isSure = false;
      return kind;
    };
    const kinds = {
      kindOf: asked,
      isList: (of: ColumnSchema) => snapshot !== undefined && isList(of, snapshot),
    };
    const reading = stateIn(text, { ...tableFor(table, gone, kinds), added });
    const state: State = { ...reading, isSure };
    states.set(column, state);
    return state;
  }

  function statesOf(table: TableSchema, snapshot: ProjectSnapshot | undefined): States {
    refresh();
    const ofTables = snapshot && (known.get(snapshot) ?? new WeakMap<TableSchema, States>());
    const found = ofTables?.get(table);
    if (found !== undefined) return found;
    const states: States = new Map();
    for (const column of inOrder(table)) readIn({ table, snapshot, states }, column);
    // Without the other tables it is unknown which columns hold lists.
    ofTables?.set(table, states);
    if (snapshot !== undefined && ofTables !== undefined) known.set(snapshot, ofTables);
    return states;
  }

  function stateOf(column: ColumnSchema, table: TableSchema, snapshot: ProjectSnapshot | undefined): State {
    const states = statesOf(table, snapshot);
    return states.get(column) ?? readIn({ table, snapshot, states }, column);
  }

  return {
    ...formula,
    server: {
      bodyKeys: ['formula', 'formula_raw'],
      fromColOptions: (given) => ({ formula: textOf(given) }),
      resolveOptions(meta, { table, column, snapshot, kindOf }: VirtualColumnPlace) {
        const options: Meta = { ...column?.meta, ...meta };
        const text = options['formula'];
        if (typeof text !== 'string' || text.trim() === '') throw errors.create('FORMULA_MISSING');
        const gone = goneOf(options);
        const isListHere = (of: ColumnSchema) => isList(of, snapshot);
        /** As the database reports it; undefined for links to several rows, which have no value of their own. */
        const kindOfReadable = (of: ColumnSchema) => {
          const compute = columnTypes.get(of.type)?.server?.compute;
          const hasValues = of.columnName !== '' || compute?.(of, snapshot) !== undefined || isListHere(of);
          const storage = hasValues ? kindOf(of) : undefined;
          return storage && kindOfStorage(storage);
        };
        const place = tableFor(table, gone, {
          kindOf: (of) => (of.id === column?.id ? 'any' : kindOfReadable(of)),
          isList: isListHere,
        });
        refresh();
        const { kind, stored, namedIds } = read(text, { ...place, added });
        const named = new Set(namedIds);
        const left = Object.entries(gone).filter(([id]) => named.has(id));
        return { ...options, formula: stored, result: kind, gone: Object.fromEntries(left) };
      },
      optionsWithout(column, deleted) {
        const { gone } = optionsOf(column);
        return { ...column.meta, gone: { ...gone, [deleted.id]: deleted.title } };
      },
      optionsMoved,
      compute(column, snapshot: ProjectSnapshot) {
        const table = snapshot.tables.get(column.tableId);
        const state = table && stateOf(column, table, snapshot);
        return state?.kind === undefined ? undefined : state.expression;
      },
      askedAs(column, { snapshot, types }) {
        const table = snapshot.tables.get(column.tableId);
        if (table === undefined) return undefined;
        const place = { state: stateOf(column, table, snapshot), isHidden: isHiddenFrom(column, table) };
        return askedAsKind(
          kindOfValues(column, place),
          (column.meta ?? {}) as Partial<FormulaOptions>,
          types,
        );
      },
      toColOptions: (column, table, snapshot) => colOptions(column, table, stateOf(column, table, snapshot)),
      toMeta(column, table) {
        if (!isHiddenFrom(column, table)) return column.meta;
        const told = Object.entries(column.meta ?? {}).filter(([key]) => key !== 'formula' && key !== 'gone');
        return Object.fromEntries(told);
      },
    },
  };
}

type KindOf = (column: ColumnSchema) => Kind | undefined;
type States = Map<ColumnSchema, State>;

/** What is needed to compile the formulas of a table. */
interface TableReading {
  readonly table: TableSchema;
  readonly snapshot: ProjectSnapshot | undefined;
  readonly states: States;
}

/** The kinds of columns' cells. */
interface Kinds {
  readonly kindOf: KindOf;
  isList(column: ColumnSchema): boolean;
}

/** Kinds are computed only for the columns that a formula names, since some are expensive. */
function tableFor(table: TableSchema, gone: FormulaOptions['gone'], { kindOf, isList }: Kinds): FormulaTable {
  return {
    columns: table.columns.map((column) => {
      const kind = once(() => kindOf(column));
      const list = once(() => isList(column));
      return {
        id: column.id,
        title: column.title,
        get kind() {
          return kind();
        },
        get isList() {
          return list();
        },
      };
    }),
    keyIds: table.primaryKey.map(({ id }) => id),
    facts: factsOf(table.columns.map(({ id, type, columnName }) => ({ id, uidt: type, columnName }))),
    titleOfGone: (id) => (Object.hasOwn(gone, id) ? gone[id] : undefined),
  };
}

/** Computes a value on first use, since a formula may name a column many times. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

/** The formula columns of a table, each once and after those that it names, except within a cycle. */
function inOrder(table: TableSchema): readonly ColumnSchema[] {
  const seen = new Set<ColumnSchema>();
  const ordered: ColumnSchema[] = [];
  const visit = (column: ColumnSchema | undefined) => {
    if (column?.type !== formula.id || seen.has(column)) return;
    seen.add(column);
    const { formula: text } = optionsOf(column);
    for (const id of namedIn(text, table.columns)) visit(table.columnById.get(id));
    ordered.push(column);
  };
  for (const column of table.columns) visit(column);
  return ordered;
}

function optionsOf(column: ColumnSchema): Pick<FormulaOptions, 'formula' | 'gone'> {
  const { formula: text } = column.meta ?? {};
  return { formula: typeof text === 'string' ? text : '', gone: goneOf(column.meta ?? {}) };
}

function goneOf({ gone }: Meta): FormulaOptions['gone'] {
  return typeof gone === 'object' && gone !== null ? (gone as FormulaOptions['gone']) : {};
}

/** The text of a formula in a body of the v1 API: as typed, or with ids. */
function textOf(given: unknown): string {
  const { formula: text, formula_raw: raw } = given as { formula?: unknown; formula_raw?: unknown };
  const found = text ?? raw;
  if (typeof found !== 'string') throw errors.create('FORMULA_MISSING');
  return found;
}

function stateIn(text: string, table: FormulaTable): Reading {
  try {
    const { kind, expression } = compileFormula(parseFormula(text), table);
    return { kind, expression };
  } catch (error) {
    if (error instanceof FormulaError) return { problem: asSaved(error).message };
    throw error;
  }
}

/** Compiles a formula from its author. Throws 400 with the problem and its position. */
function read(
  text: string,
  table: FormulaTable,
): { readonly kind: Kind; readonly stored: string; readonly namedIds: readonly string[] } {
  try {
    const { kind } = compileFormula(parseFormula(text), table);
    const stored = withIds(text, table.columns);
    assertStorable(text, stored);
    return { kind, stored, namedIds: columnIdsOf(stored) };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const { start, end, values } = error.problem;
    const position = Number(values['position'] ?? start);
    throw errors.create('FORMULA_INVALID', { problem: error.message, position, start, end }, error);
  }
}

/** A formula contains values of a column only if it reads the column, or one that is computed from it. */
function optionsMoved(column: ColumnSchema, moved: MovedTexts): MovedOptions | undefined {
  const { formula: text } = optionsOf(column);
  if (!namedIn(text).some((id) => moved.reachedIds.has(id))) return undefined;
  try {
    const { formula: renamed, remains } = renamedFormula(text, moved);
    if (renamed === undefined) return remains ? { remains } : undefined;
    return { meta: { ...column.meta, formula: renamed }, remains };
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

/** Whether a caller who sees these columns of the table must not know all of those that a formula names. */
function isHiddenFrom(column: ColumnSchema, table: TableSchema): boolean {
  const { formula: text, gone } = optionsOf(column);
  return namedIn(text).some((id) => !table.columnById.has(id) && gone[id] === undefined);
}

/** The kind of the values; if only the database can tell, the kind at the time of saving. */
function kindOfValues(
  { meta }: ColumnSchema,
  { state: { kind, isSure }, isHidden }: { readonly state: State; readonly isHidden: boolean },
): Kind {
  if (!isHidden && (isSure || kind === undefined)) return kind ?? 'any';
  const saved = meta?.['result'];
  return kinds.find((known) => known === saved) ?? kind ?? 'any';
}

const kinds: readonly Kind[] = ['number', 'text', 'date', 'datetime', 'boolean', 'nothing'];

/** The type that the values of a formula have; a substitute type, such as durations, only if its plugin is on. */
function askedAsKind(
  kind: Kind,
  meta: Partial<FormulaOptions>,
  types: Pick<RegistryView<ServerColumnType>, 'get'>,
): AskedAs | undefined {
  const written = only(meta, ['date_format', 'time_format']);
  if (meta.text_format === 'time' && (kind === 'text' || kind === 'any') && types.get('Time') !== undefined)
    return { uidt: 'Time', storage: 'text', meta: only(meta, ['time_format']) };
  switch (kind) {
    case 'number':
      return meta.number_format === 'duration' && types.get('Duration') !== undefined
        ? { uidt: 'Duration', storage: 'decimal', meta: only(meta, ['duration']) }
        : { uidt: decimal.id, storage: 'decimal', meta: {} };
    case 'text':
      return { uidt: singleLineText.id, storage: 'text', meta: {} };
    case 'date':
      return { uidt: date.id, storage: 'date', meta: only(meta, ['date_format']) };
    case 'datetime':
      return { uidt: dateTime.id, storage: 'datetime', meta: written };
    case 'boolean':
      return { uidt: checkbox.id, storage: 'boolean', meta: {} };
    default:
      return undefined;
  }
}

/** The given keys of the options, if set. */
function only(meta: Partial<FormulaOptions>, keys: readonly (keyof FormulaOptions)[]): Meta {
  return Object.fromEntries(keys.flatMap((key) => (meta[key] === undefined ? [] : [[key, meta[key]]])));
}

/** The formula for clients of the v1 API. A caller from whom one of its columns is hidden does not get its text. */
function colOptions(column: ColumnSchema, table: TableSchema, state: State): unknown {
  const { formula: text, gone } = optionsOf(column);
  const titleOf = (id: string) => table.columnById.get(id)?.title ?? gone[id];
  const isHidden = isHiddenFrom(column, table);
  return {
    id: `fm_${column.id.slice(column.id.indexOf('_') + 1)}`,
    fk_column_id: column.id,
    formula: isHidden ? '' : text,
    formula_raw: isHidden ? '' : withTitles(text, titleOf),
    error: isHidden || state.kind !== undefined ? null : state.problem,
    result: kindOfValues(column, { state, isHidden }),
    deleted: null,
    order: null,
  };
}

/** The ids of the columns that a stored formula names; none if it cannot be parsed. */
function namedIn(text: string, columns: readonly ColumnSchema[] = []): readonly string[] {
  try {
    return columnIdsOf(withIds(text, columns));
  } catch (error) {
    if (error instanceof FormulaError) return [];
    throw error;
  }
}
