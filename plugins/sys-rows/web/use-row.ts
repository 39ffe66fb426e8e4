import {
  dataPath,
  parseRowKey,
  withoutUndefined,
  type CellValue,
  type ColumnEntity,
  type Row,
} from '@trellis/sdk/shared';
import {
  ApiError,
  messageOfError,
  showCell,
  useHost,
  useRegistry,
  useServerData,
  type ApiRequest,
} from '@trellis/sdk/web';
import { addRow, linkedTables, type AddedRow, useRows } from '@trellis/sdk/web/rows';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { NewRowFields } from './new-row-fields.ts';
import type { RowRequest } from './panel-requests.ts';
import { ofTable, useTellGone, withoutColumns, type LostText } from './gone-columns.ts';

/** Values by column id. */
type Edits = Readonly<Record<string, CellValue>>;
/** Problems of fields, by column id. */
type Problems = Readonly<Record<string, string>>;

const noRow: Row = {};
const nothingTyped: Edits = {};
const nothingTouched: ReadonlySet<string> = new Set();

/** The initial values of a new row, as if they were typed. */
const given = (values: RowRequest['values'] = {}): Edits => withoutUndefined(values) as Edits;

/**
 * One row with its edits, which are kept until they are saved or discarded, even if others change the row. A request without a key
 * means a new row.
 */
export function useRow(
  request: RowRequest,
  columns: readonly ColumnEntity[],
  fresh: NewRowFields | undefined,
) {
  const host = useHost();
  const { t } = host;
  const { project, table, rowKey } = request;
  const own = useRows({ kind: 'table', project, table });
  const rows = request.rows ?? own;
  const isNew = rowKey === undefined;
  const tag = rowTag(request);
  const { data, error, isLoading, isFetching } = useServerData<Row>(
    isNew ? undefined : { path: rowPath(request) },
    { tags: [tag] },
  );
  const { data: inView } = useServerData<{ readonly count: number | string }>(
    request.isLinked === true && request.view !== undefined ? countInView(request) : undefined,
    { tags: [tag, `view:${request.view?.id ?? ''}`] },
  );
  const [allEdits, setEdits] = useState<Edits>(() => (isNew ? given(request.values) : {}));
  const defaults: NonNullable<RowRequest['values']> =
    (request.areDefaults === true ? request.values : undefined) ?? {};
  /** The cells' values when their editing began. */
  const [began, setBegan] = useState<Edits>({});
  /** Saved values that were not read again yet. */
  const [kept, setKept] = useState(nothingTyped);
  const [wasFetching, setWasFetching] = useState(isFetching);
  if (wasFetching !== isFetching) {
    setWasFetching(isFetching);
    if (!isFetching) setKept(nothingTyped);
  }
  const types = useRegistry('columnTypes');
  const [allProblems, setProblems] = useState<Problems>({});
  const edits = useMemo(() => ofTable(allEdits, table), [allEdits, table]);
  const problems = useMemo(() => ofTable(allProblems, table), [allProblems, table]);
  /** Rises when all edits are discarded: the fields start again. */
  const [round, setRound] = useState(0);
  const lost = useRef(new Map<string, LostText>());
  /** The fields that contain typed text: it becomes an edit when the field is left. */
  const [touched, setTouched] = useState(nothingTouched);
  const isTouched = columns.some(({ id }) => touched.has(id));
  useTellGone({ edits: allEdits, problems: allProblems, lost, round }, table, (gone, untyped) => {
    setEdits((before) => withoutColumns(before, gone));
    setProblems((before) => withoutColumns(before, [...gone, ...untyped]));
    setTouched((before) => new Set([...before].filter((id) => !untyped.includes(id))));
  });
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  /** The running save. */
  const saving = useRef<Promise<'saved' | AddedRow | undefined>>(undefined);
  /** The edits that were saved last. */
  const stored = useRef(nothingTyped);

  const linkedIds = linkedTables(table).join(' ');
  useEffect(() => {
    const room = host.live.subscribe({ tableId: table.id }, (event) => {
      const concerns = event.kind !== 'rows' || event.changes.some((change) => change.key === rowKey);
      if (concerns) host.invalidate([tag]);
    });
    // Fields may be computed from rows of linked tables.
    const others = linkedIds
      .split(' ')
      .filter((id) => id !== '')
      .map((tableId) => host.live.subscribe({ tableId }, () => host.invalidate([tag])));
    return () => {
      for (const each of [room, ...others]) each.dispose();
    };
  }, [host, table.id, linkedIds, rowKey, tag]);

  /** Writes all changed cells in one step. */
  async function write(rowKey: string): Promise<void> {
    const step = { kind: 'edit', count: Object.keys(edits).length } as const;
    const changes = Object.entries(edits).map(([columnId, value]) => {
      const column = columns.find(({ id }) => id === columnId);
      const before = began[columnId] ?? null;
      const type = column && types.find(({ id }) => id === column.uidt);
      const request = column && type?.cellRequest?.({ project, table, column, rowKey, value, before });
      return { change: { rowKey, index: 0, columnId, value, before }, request };
    });
    const plain = changes.filter(({ request }) => request === undefined);
    if (plain.length > 0)
      await rows.write(
        plain.map(({ change }) => change),
        step,
      );
    for (const { request } of changes) if (request !== undefined) await rows.perform(request, step);
  }

  /**
   * Sends the edits; resolves to the row if one was added, and to undefined if nothing was saved, for example because a save is
   * running.
   */
  function save(): Promise<'saved' | AddedRow | undefined> {
    if (saving.current !== undefined) return Promise.resolve(undefined);
    saving.current = send().finally(() => {
      saving.current = undefined;
    });
    return saving.current;
  }

  async function send(): Promise<'saved' | AddedRow | undefined> {
    const missing = columns.filter((column) => fresh?.lacks(column, edits) === true);
    const wrong: Problems = {
      ...problems,
      ...Object.fromEntries(
        missing.map(({ id, title }) => [id, t('“{{title}}” must not be empty.', { title })]),
      ),
    };
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) {
      setProblem(t('Correct the marked fields first.'));
      return undefined;
    }
    setSaving(true);
    setProblem(undefined);
    // What is typed from now on is a separate edit.
    setTouched(nothingTouched);
    try {
      const typeOf = (uidt: string) => types.find(({ id }) => id === uidt);
      if (isNew)
        return await addRow({ rows, project, table, api: host.api, t, typeOf }, edits, request.place);
      await write(rowKey);
      stored.current = edits;
      setEdits((now) => without(now, edits));
      setBegan((before) => ({ ...before, ...edits }));
      setKept(edits);
      host.invalidate([tag]);
      return 'saved';
    } catch (failure) {
      const message = messageOfError(failure, t);
      const title = failure instanceof ApiError ? failure.params.column : undefined;
      const named = columns.find((column) => column.title === title);
      if (named === undefined) setProblem(message);
      else mark((fresh?.through(named) ?? named).id, message);
      return undefined;
    } finally {
      setSaving(false);
    }
  }

  return {
    row: isNew ? noRow : data,
    rows,
    /** The row's cache tag. */
    tag,
    error,
    isLoading,
    /** True if the row's view does not show it. */
    isLeftOut: data !== undefined && inView !== undefined && Number(inView.count) === 0,
    edits,
    isTouched,
    touch: (columnId: string, isHeld: boolean) =>
      setTouched((before) => {
        if (before.has(columnId) === isHeld) return before;
        const others = [...before].filter((id) => id !== columnId);
        return new Set(isHeld ? [...others, columnId] : others);
      }),
    /** Whether a field contains something unsaved. */
    holds: (columnId: string) => columnId in edits || columnId in problems || touched.has(columnId),
    round,
    /** Takes a typed text whose field has disappeared. */
    lose: (columnId: string, text: string) => void lost.current.set(columnId, { text, round }),
    replaces,
    isDirty:
      Object.entries(edits).some(([id, value]) => value !== defaults[id]) || Object.keys(problems).length > 0,
    problems,
    problem,
    isSaving,
    edit(columnId: string, value: CellValue) {
      setProblem(undefined);
      setBegan((before) => (columnId in edits ? before : { ...before, [columnId]: storedOf(columnId) }));
      setEdits((before) =>
        isTakenBack(columnId, value) ? withoutColumns(before, [columnId]) : { ...before, [columnId]: value },
      );
      mark(columnId, undefined);
    },
    mark,
    discard() {
      setTouched(nothingTouched);
      setRound((before) => before + 1);
      setEdits({});
      setProblems({});
      setProblem(undefined);
    },
    save,
    /** Saves, unless a save is running already; resolves to the edits that were saved, or undefined if none were. */
    async saved(): Promise<Edits | undefined> {
      return (await (saving.current ?? save())) === 'saved' ? stored.current : undefined;
    },
  };

  /** Whether an edit equals the stored value again. While edits are sent, the stored value is about to change. */
  function isTakenBack(columnId: string, value: CellValue): boolean {
    const isGiven = isNew && columnId in given(request.values);
    return !isSaving && !isGiven && Object.is(value, storedOf(columnId));
  }

  /** The server's value of a cell, as far as the page knows it. */
  function storedOf(columnId: string): CellValue {
    if (columnId in kept) return kept[columnId] ?? null;
    const title = columns.find(({ id }) => id === columnId)?.title ?? '';
    return (data?.[title] ?? null) as CellValue;
  }

  /** The value that others stored since this one was changed here, as text. */
  function replaces(column: ColumnEntity): string | undefined {
    if (isNew || data === undefined || !(column.id in edits)) return undefined;
    const type = types.find(({ id }) => id === column.uidt);
    const textOf = (value: unknown): string => showCell(value, column, type);
    const now = textOf(data[column.title]);
    return now === textOf(began[column.id]) || now === textOf(edits[column.id]) ? undefined : now;
  }

  function mark(columnId: string, message: string | undefined): void {
    setProblem(undefined);
    setProblems((before) => {
      const others = Object.entries(before).filter(([id]) => id !== columnId);
      return Object.fromEntries(message === undefined ? others : [...others, [columnId, message]]);
    });
  }
}

/** The cache tag of a row. */
export function rowTag({ table, rowKey = '' }: Pick<RowRequest, 'table' | 'rowKey'>): string {
  return `row:${table.id}:${rowKey}`;
}

/** The row's path in the data API. */
export function rowPath({ project, table, rowKey = '' }: RowRequest): string {
  return dataPath(project.id, table.id, rowKey);
}

/** Counts this row among the view's rows: 1 if the view shows it. */
function countInView({ project, table, view, rowKey = '' }: RowRequest): ApiRequest {
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const parts = parseRowKey(rowKey, keys.length) ?? [];
  const filters = keys.map(({ id }, at) => ({
    fk_column_id: id,
    comparison_op: 'eq',
    value: parts[at] ?? '',
    logical_op: 'and',
  }));
  return {
    path: dataPath(project.id, table.id, 'views', view?.id ?? '', 'count'),
    query: { filterArrJson: JSON.stringify(filters) },
  };
}

/** The edits that were made after others were sent. */
function without(edits: Edits, sent: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).filter(([columnId, value]) => !Object.is(value, sent[columnId])),
  );
}
