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
  type Expression,
  type FormulaFunctionDefinition,
  type RegistryView,
} from '@trellis/sdk/shared';
import {
  addedFunctions,
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

/** What a formula is at the moment: its kind and tree, or what is wrong with it. */
type State =
  | { readonly kind: Kind; readonly expression: Expression }
  | { readonly kind?: undefined; readonly problem: string };

/** What the column type finds in the host's registries, and whom it tells of what others did wrong. */
export interface FormulaColumnParts {
  readonly columnTypes: RegistryView<ServerColumnType>;
  /** Asked for when it is needed: the registry is there once the plugin is. */
  readonly functions: () => RegistryView<FormulaFunctionDefinition>;
  readonly report: ReportFailure;
}

/** The server's part of the column type: formulas become trees, and titles become ids on their way in. */
export function createFormulaColumn({
  columnTypes,
  functions,
  report,
}: FormulaColumnParts): ServerColumnType {
  /** Formulas are read once for each schema of a table, and again once types or functions come or go. */
  let known = new WeakMap<TableSchema, States>();
  let knownTypes: readonly ServerColumnType[] = [];
  let knownFunctions: readonly FormulaFunctionDefinition[] = [];
  let added: FormulaTable['added'] = new Map();

  /** Forgets what was read by types and functions that are others by now. */
  function refresh(): void {
    const [types, definitions] = [columnTypes.list(), functions().list()];
    if (types === knownTypes && definitions === knownFunctions) return;
    if (definitions !== knownFunctions) added = addedFunctions(definitions, report);
    [known, knownTypes, knownFunctions] = [new WeakMap(), types, definitions];
  }

  /** The kind of a column as far as it is known without the database; any for a formula that is not read yet. */
  function kindIn(states: States): KindOf {
    return (column) => {
      if (column.columnName !== '') return kindOfStorage(column.storage);
      if (column.type === formula.id) return states.has(column) ? states.get(column)?.kind : 'any';
      return columnTypes.get(column.type)?.server?.compute === undefined ? undefined : 'any';
    };
  }

  function readIn(table: TableSchema, states: States, column: ColumnSchema): State {
    const { formula: text, gone } = optionsOf(column);
    const state = stateIn(text, { ...tableFor(table, gone, kindIn(states)), added });
    states.set(column, state);
    return state;
  }

  function statesOf(table: TableSchema): States {
    refresh();
    const found = known.get(table);
    if (found !== undefined) return found;
    const states: States = new Map();
    for (const column of inOrder(table)) readIn(table, states, column);
    known.set(table, states);
    return states;
  }

  function stateOf(column: ColumnSchema, table: TableSchema): State {
    const states = statesOf(table);
    return states.get(column) ?? readIn(table, states, column);
  }

  return {
    ...formula,
    server: {
      bodyKeys: ['formula', 'formula_raw'],
      fromColOptions: (given) => ({ formula: textOf(given) }),
      resolveOptions(meta, { table, column, kindOf }: VirtualColumnPlace) {
        const options: Meta = { ...column?.meta, ...meta };
        const text = options['formula'];
        if (typeof text !== 'string' || text.trim() === '') throw errors.create('FORMULA_MISSING');
        const gone = goneOf(options);
        const place = tableFor(table, gone, (of) =>
          of.id === column?.id ? 'any' : kindOfReadable(of, kindOf, columnTypes),
        );
        refresh();
        const { kind } = read(text, { ...place, added });
        const stored = withIds(text, place.columns);
        const named = new Set(columnIdsOf(stored));
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
        const state = table && stateOf(column, table);
        return state?.kind === undefined ? undefined : state.expression;
      },
      toColOptions: (column, table) => colOptions(column, table, stateOf(column, table)),
    },
  };
}

type KindOf = (column: ColumnSchema) => Kind | undefined;
type States = Map<ColumnSchema, State>;

/** Kinds are asked of the columns that a formula names, and of no others: some are work to find out. */
function tableFor(table: TableSchema, gone: FormulaOptions['gone'], kindOf: KindOf): FormulaTable {
  return {
    columns: table.columns.map((column) => ({
      id: column.id,
      title: column.title,
      get kind() {
        return kindOf(column);
      },
    })),
    keyIds: table.primaryKey.map(({ id }) => id),
    facts: factsOf(table.columns.map(({ id, type, columnName }) => ({ id, uidt: type, columnName }))),
    titleOfGone: (id) => (Object.hasOwn(gone, id) ? gone[id] : undefined),
  };
}

/** The formula columns of a table, each once and behind those that it names, except within a circle. */
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

/** As the database says it; undefined for links, which have no value of their own. */
function kindOfReadable(
  column: ColumnSchema,
  kindOf: VirtualColumnPlace['kindOf'],
  columnTypes: RegistryView<ServerColumnType>,
): Kind | undefined {
  const isReadable = column.columnName !== '' || columnTypes.get(column.type)?.server?.compute !== undefined;
  const storage = isReadable ? kindOf(column) : undefined;
  return storage === undefined ? undefined : kindOfStorage(storage);
}

function optionsOf(column: ColumnSchema): Pick<FormulaOptions, 'formula' | 'gone'> {
  const { formula: text } = column.meta ?? {};
  return { formula: typeof text === 'string' ? text : '', gone: goneOf(column.meta ?? {}) };
}

function goneOf({ gone }: Meta): FormulaOptions['gone'] {
  return typeof gone === 'object' && gone !== null ? (gone as FormulaOptions['gone']) : {};
}

/** The text of a formula out of what clients of the v1 API send: as it was typed, or with ids. */
function textOf(given: unknown): string {
  const { formula: text, formula_raw: raw } = given as { formula?: unknown; formula_raw?: unknown };
  const found = text ?? raw;
  if (typeof found !== 'string') throw errors.create('FORMULA_MISSING');
  return found;
}

function stateIn(text: string, table: FormulaTable): State {
  try {
    const { kind, expression } = compileFormula(parseFormula(text), table);
    return { kind, expression };
  } catch (error) {
    if (error instanceof FormulaError) return { problem: asSaved(error).message };
    throw error;
  }
}

/** The formula as its author means it. Throws 400 that says what is wrong and where. */
function read(text: string, table: FormulaTable): { readonly kind: Kind } {
  try {
    return compileFormula(parseFormula(text), table);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const { start, end, values } = error.problem;
    const position = Number(values['position'] ?? start);
    throw errors.create('FORMULA_INVALID', { problem: error.message, position, start, end }, error);
  }
}

/** A formula names values of a column only where it reads the column, or one that is computed from it. */
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

/** What clients of the v1 API read of a formula. A caller from whom one of its columns is hidden does not read its text. */
function colOptions(column: ColumnSchema, table: TableSchema, state: State): unknown {
  const { formula: text, gone } = optionsOf(column);
  const titleOf = (id: string) => table.columnById.get(id)?.title ?? gone[id];
  const isHidden = namedIn(text).some((id) => titleOf(id) === undefined);
  return {
    id: `fm_${column.id.slice(column.id.indexOf('_') + 1)}`,
    fk_column_id: column.id,
    formula: isHidden ? '' : text,
    formula_raw: isHidden ? '' : withTitles(text, titleOf),
    error: isHidden || state.kind !== undefined ? null : state.problem,
    result: isHidden ? (column.meta?.['result'] ?? 'any') : (state.kind ?? 'any'),
    deleted: null,
    order: null,
  };
}

/** The ids of the columns that a stored formula names; none where it cannot be read. */
function namedIn(text: string, columns: readonly ColumnSchema[] = []): readonly string[] {
  try {
    return columnIdsOf(withIds(text, columns));
  } catch (error) {
    if (error instanceof FormulaError) return [];
    throw error;
  }
}
