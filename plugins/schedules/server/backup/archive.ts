import type {
  FilterSchema,
  LinkSchema,
  SortSchema,
  TableSchema,
  ViewColumnSchema,
  ViewSchema,
} from '@trellis/sdk/server';
import type { CellValue, ViewGroup } from '@trellis/sdk/shared';
import { restoreErrors } from '../schedule-errors.ts';
import { Breaths } from './breaths.ts';
import { readInSlices, type JsonSlice, type SliceOptions } from './json-slices.ts';

/** The mark of an archive that is a backup. */
export const archiveFormat = 'trellis-backup';
export const archiveVersion = 2;
/** The default width in pixels. */
const usualWidth = 180;
/** The file that describes the others. */
export const contentsPath = 'trellis.json';
/** The path of a cell's file. */
export const filePath = (id: string): string => `files/${id}`;

/** A column in an archive. */
export interface ArchivedColumn {
  readonly id: string;
  readonly title: string;
  readonly columnName: string;
  readonly type: string;
  readonly nativeType?: string;
  readonly length?: string;
  readonly precision?: string;
  readonly scale?: string;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly autoUpdate: boolean;
  readonly required: boolean;
  readonly unsigned: boolean;
  readonly unique: boolean;
  readonly display: boolean;
  readonly defaultValue?: string;
  readonly description?: string;
  readonly order: number;
  readonly meta?: Meta;
  readonly linkId?: string;
}

export type Meta = Readonly<Record<string, unknown>>;

/** A link in an archive; there are two of each, one for each side. */
export type ArchivedLink = Pick<
  LinkSchema,
  'id' | 'kind' | 'tableId' | 'columnIds' | 'toTableId' | 'toColumnIds' | 'through' | 'inverseId'
> & {
  readonly isVirtual: boolean;
  readonly onDelete?: string;
  readonly onUpdate?: string;
};

export type ArchivedViewColumn = Pick<ViewColumnSchema, 'columnId' | 'show' | 'order' | 'width'> & {
  readonly meta?: Meta;
};

export type ArchivedSort = Pick<SortSchema, 'columnId' | 'direction'>;

export interface ArchivedFilter extends Pick<FilterSchema, 'isGroup' | 'logicalOp'> {
  readonly columnId?: string;
  readonly operator?: string;
  readonly value?: CellValue;
  readonly children: readonly ArchivedFilter[];
}

/** A view in an archive. */
export type ArchivedView = Pick<
  ViewSchema,
  'id' | 'title' | 'type' | 'isDefault' | 'showSystemFields' | 'lockType' | 'order'
> & {
  readonly description?: string;
  /** One of the table's groups. */
  readonly groupId?: string;
  readonly icon?: string;
  readonly meta?: Meta;
  readonly columns: readonly ArchivedViewColumn[];
  readonly sorts: readonly ArchivedSort[];
  readonly filters: readonly ArchivedFilter[];
};

/** A table in an archive. */
export interface ArchivedTable {
  readonly id: string;
  readonly title: string;
  /** Without the prefix that our own database adds to the names of a project's tables. */
  readonly tableName: string;
  readonly kind: TableSchema['kind'];
  readonly junction: boolean;
  readonly order: number;
  readonly meta?: Meta;
  readonly columns: readonly ArchivedColumn[];
  readonly links: readonly ArchivedLink[];
  readonly viewGroups: readonly ViewGroup[];
  readonly views: readonly ArchivedView[];
  readonly rows: {
    /** The file of its rows: one JSON array per line, with a value for each of `columns`. */
    readonly file: string;
    readonly columns: readonly string[];
    readonly count: number;
    /** Whether people arranged them by hand; they are then stored in that order. */
    readonly arranged: boolean;
  };
}

/** The contents of `trellis.json`. */
export interface Archive {
  readonly madeAt: string;
  readonly project: {
    readonly title: string;
    readonly description?: string;
    readonly color?: string;
    readonly meta?: Meta;
  };
  readonly tables: readonly ArchivedTable[];
  /** The names of the files of cells, by their ids. */
  readonly files: ReadonlyMap<string, string>;
}

const mostTables = 5000;
const mostOfTable = 5000;
const deepestFilter = 20;

/**
 * The limits of `trellis.json`. One of 200 tables with 100 columns and five views each has 900,000 values, and 30 bytes for each of
 * them; the unpacking limits the bytes. A slice is a column, a link or a view: that of 5,000 columns has 30,000 values.
 */
const slicing: SliceOptions = {
  opened: 4,
  limits: { values: 2_000_000, keys: 50_000, depth: 100 },
  slice: { bytes: 4 * 1024 * 1024, values: 100_000 },
  passed: () => restoreErrors.create('RESTORE_UNPACKS'),
};

/** The parts of `trellis.json` that were read so far. */
class Draft {
  readonly of: Record<string, unknown> = {};
  readonly files = new Map<string, string>();

  /** Properties that no archive has are dropped. */
  take({ path, value }: JsonSlice): void {
    const [part, id] = path;
    switch (part) {
      case undefined:
        recordOf(value);
        return;
      case 'format':
        assertFormat(value);
        break;
      case 'version':
        assertVersion(value);
        break;
      case 'files':
        if (id === undefined) recordOf(value);
        else this.files.set(String(id), textOf(value));
        return;
      case 'made_at':
      case 'project':
      case 'tables':
        break;
      default:
        return;
    }
    setAt(this.of, path, value);
  }
}

function setAt(root: object, path: JsonSlice['path'], value: unknown): void {
  let at = root as Record<string | number, object>;
  for (const step of path.slice(0, -1)) at = at[step] as typeof at;
  if (Array.isArray(at)) at.push(value);
  // A property like any other, even with a key such as `__proto__`.
  else
    Object.defineProperty(at, path.at(-1) ?? '', {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

function assertFormat(format: unknown): void {
  if (format !== archiveFormat) throw restoreErrors.create('RESTORE_NO_BACKUP');
}

function assertVersion(version: unknown): void {
  if (version !== archiveVersion)
    throw restoreErrors.create('RESTORE_VERSION', { version: String(version).slice(0, 20) });
}

/**
 * Reads `trellis.json`, which may come from anybody: only properties of the right form are used. Anything but a backup of this
 * version is refused at the property that says so, which our archives have first.
 */
export async function readContents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Archive> {
  const draft = new Draft();
  try {
    await readInSlices(bytes, slicing, (slice) => draft.take(slice));
  } catch (error) {
    const isNoJson = error instanceof SyntaxError || error instanceof TypeError;
    throw isNoJson ? restoreErrors.create('RESTORE_NO_BACKUP', {}, error) : error;
  }
  const { of, files } = draft;
  assertFormat(of.format);
  assertVersion(of.version);
  const project = recordOf(of.project);
  const breaths = new Breaths();
  const tables: ArchivedTable[] = [];
  for (const table of listOf(of.tables, mostTables)) {
    tables.push(tableOf(table));
    await breaths.take();
  }
  assertDistinct(tables.map(({ id }) => id));
  // A restore finds what it has created by the titles.
  assertDistinct(tables.map(({ title }) => title));
  assertDistinct(tables.flatMap(({ columns }) => columns.map(({ id }) => id)));
  for (const { columns } of tables) assertDistinct(columns.map(({ title }) => title));
  return {
    madeAt: textOf(of.made_at),
    project: {
      title: textOf(project.title),
      ...optional('description', project.description),
      ...optional('color', project.color),
      ...metaOf(project),
    },
    tables,
    files,
  };
}

function tableOf(of: Meta): ArchivedTable {
  const rows = recordOf(of.rows);
  return {
    id: textOf(of.id),
    title: textOf(of.title),
    tableName: textOf(of.tableName),
    kind: of.kind === 'view' ? 'view' : 'table',
    junction: of.junction === true,
    order: numberOf(of.order),
    ...metaOf(of),
    columns: listOf(of.columns, mostOfTable).map(columnOf),
    links: listOf(of.links, mostOfTable).map(linkOf),
    // Older archives have no view groups.
    viewGroups: listOf(of.viewGroups ?? [], mostOfTable).map((group) => ({
      id: textOf(group.id),
      title: textOf(group.title),
      order: numberOf(group.order),
    })),
    views: listOf(of.views, mostOfTable).map(viewOf),
    rows: {
      file: textOf(rows.file),
      columns: textsOf(rows.columns),
      count: numberOf(rows.count),
      arranged: rows.arranged === true,
    },
  };
}

function columnOf(of: Meta): ArchivedColumn {
  return {
    id: textOf(of.id),
    title: textOf(of.title),
    columnName: textOf(of.columnName),
    type: textOf(of.type),
    ...optional('nativeType', of.nativeType),
    ...optional('length', of.length),
    ...optional('precision', of.precision),
    ...optional('scale', of.scale),
    primaryKey: of.primaryKey === true,
    autoIncrement: of.autoIncrement === true,
    autoUpdate: of.autoUpdate === true,
    required: of.required === true,
    unsigned: of.unsigned === true,
    unique: of.unique === true,
    display: of.display === true,
    ...optional('defaultValue', of.defaultValue),
    ...optional('description', of.description),
    order: numberOf(of.order),
    ...metaOf(of),
    ...optional('linkId', of.linkId),
  };
}

function linkOf(of: Meta): ArchivedLink {
  const through = of.through === undefined || of.through === null ? undefined : recordOf(of.through);
  return {
    id: textOf(of.id),
    kind: oneOf(of.kind, ['belongsTo', 'hasMany', 'manyToMany'] as const),
    tableId: textOf(of.tableId),
    columnIds: textsOf(of.columnIds),
    toTableId: textOf(of.toTableId),
    toColumnIds: textsOf(of.toColumnIds),
    through: through && {
      tableId: textOf(through.tableId),
      columnIds: textsOf(through.columnIds),
      toColumnIds: textsOf(through.toColumnIds),
    },
    inverseId: textOf(of.inverseId),
    isVirtual: of.isVirtual === true,
    ...optional('onDelete', of.onDelete),
    ...optional('onUpdate', of.onUpdate),
  };
}

function viewOf(of: Meta): ArchivedView {
  const columns = listOf(of.columns, mostOfTable);
  // Older archives had a width for every column, and the default one for columns whose width nobody had set.
  const hasAll = columns.every(({ width }) => width !== undefined);
  const chosenWidth = (width: unknown): number | undefined =>
    width === undefined || (hasAll && width === usualWidth) ? undefined : numberOf(width);
  return {
    id: textOf(of.id),
    title: textOf(of.title),
    type: textOf(of.type),
    isDefault: of.isDefault === true,
    showSystemFields: of.showSystemFields === true,
    lockType: oneOf(of.lockType, ['collaborative', 'locked', 'personal'] as const),
    order: numberOf(of.order),
    ...optional('description', of.description),
    ...optional('groupId', of.groupId),
    ...optional('icon', of.icon),
    ...metaOf(of),
    columns: columns.map((column) => ({
      columnId: textOf(column.columnId),
      show: column.show === true,
      order: numberOf(column.order),
      width: chosenWidth(column.width),
      ...metaOf(column),
    })),
    sorts: listOf(of.sorts, mostOfTable).map((sort) => ({
      columnId: textOf(sort.columnId),
      direction: oneOf(sort.direction, ['asc', 'desc'] as const),
    })),
    filters: filtersOf(of.filters, deepestFilter),
  };
}

function filtersOf(given: unknown, deep: number): readonly ArchivedFilter[] {
  if (deep === 0) throw damaged();
  return listOf(given, mostOfTable).map((of) => ({
    isGroup: of.isGroup === true,
    logicalOp: oneOf(of.logicalOp, ['and', 'or', 'not'] as const),
    ...optional('columnId', of.columnId),
    ...optional('operator', of.operator),
    ...(of.value !== undefined && { value: of.value as CellValue }),
    children: of.isGroup === true ? filtersOf(of.children, deep - 1) : [],
  }));
}

const damaged = () => restoreErrors.create('RESTORE_DAMAGED');

function assertDistinct(names: readonly string[]): void {
  if (new Set(names).size < names.length) throw damaged();
}

function recordOf(value: unknown): Meta {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged();
  return value as Meta;
}

function listOf(value: unknown, most: number): readonly Meta[] {
  if (!Array.isArray(value) || value.length > most) throw damaged();
  return value.map(recordOf);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw damaged();
  return value;
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length > mostOfTable) throw damaged();
  return value.map(textOf);
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw damaged();
  return value;
}

function oneOf<Word extends string>(value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw damaged();
  return found;
}

function optional<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  return value === undefined || value === null
    ? {}
    : ({ [name]: textOf(value) } as Partial<Record<Name, string>>);
}

function metaOf({ meta }: Meta): { readonly meta?: Meta } {
  return meta === undefined || meta === null ? {} : { meta: recordOf(meta) };
}
