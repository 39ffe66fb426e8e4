import { type ReactNode, StrictMode, Suspense, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { ColumnEntity, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { Grid, type GridColumn } from '@trellis/sdk/web/grid';
import { type RowData, RowWindow } from '@trellis/sdk/web/rows';
import { broken, checkbox, choice, number, stars, text } from './demo-types.tsx';

/**
 * A million rows in memory with 20 ms of latency. Query: `rows`, `columns`, `latency`, `held` (until `gridAnswer()` is called),
 * `theme=dark`, `readonly`, `broken`, `fail` (the rows cannot be loaded), `refuse` (every write is refused), `custom` (every cell
 * has its own component).
 */
const query = new URLSearchParams(location.search);
const columnCount = Number(query.get('columns') ?? 30);
const latency = Number(query.get('latency') ?? 20);
let total = Number(query.get('rows') ?? 1_000_000);
document.documentElement.dataset.theme = query.get('theme') ?? 'light';
document.body.style.background = 'var(--trellis-surface)';

const kinds = [text, number, choice, stars, checkbox];
const names = ['Note', 'Amount', 'Status', 'Rating', 'Done'];
const allCustom = query.has('custom');
function entity(id: string, title: string, more: Partial<ColumnEntity> = {}): ColumnEntity {
  const flags = { pv: false, rqd: false, ai: false, au: false, cdf: null, virtual: null, meta: null };
  return { id, title, storage: 'text', ...flags, ...more } as ColumnEntity;
}

const firstColumns: GridColumn[] = Array.from({ length: columnCount }, (_, at) => ({
  entity: entity(`c${at}`, at === 0 ? 'Name' : `${names[at % 5]} ${at}`, { pv: at === 0, rqd: at === 1 }),
  width: at === 0 ? 180 : ([150, 110, 120, 120, 80][at % 5] ?? 120),
  type: allCustom ? stars : at === 0 ? text : (kinds[at % 5] ?? text),
  frozen: at === 0,
  whyReadOnly: at === 7 ? 'This choice is computed.' : undefined,
}));
if (query.has('broken'))
  firstColumns.splice(2, 0, { entity: entity('broken', 'Broken'), width: 110, type: broken });
const project = { id: 'p_demo', title: 'Demo' } as ProjectEntity;
const table = {
  id: 'md_demo',
  title: 'Demo',
  columns: [entity('row', 'Row'), ...firstColumns.map((column) => column.entity)],
} as unknown as TableEntity;

const written = new Map<string, Record<string, unknown>>();
const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Barbara Liskov',
  'Edsger Dijkstra',
  'Radia Perlman',
];
const statuses = ['Draft', 'Review', 'Approved', 'Shipped'];

function makeRow(index: number): RowData {
  const values: Record<string, unknown> = { row: index };
  for (let at = 0; at < columnCount; at++) {
    const mixed = (index * 31 + at * 17) % 997;
    const kind = at % 5;
    values[`c${at}`] = allCustom
      ? mixed % 6
      : at === 0
        ? `${people[index % 6]} ${index + 1}`
        : kind === 0
          ? `note ${mixed}`
          : kind === 1
            ? mixed * 12.5
            : kind === 2
              ? statuses[mixed % 4]
              : kind === 3
                ? mixed % 6
                : mixed % 2 === 0;
  }
  return { key: String(index), values: { ...values, ...written.get(String(index)) } };
}

/** The waiting answers' callbacks, while answers are held. */
let held: (() => void)[] = [];

function wait(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (query.has('held')) held.push(resolve);
    const timer = query.has('held') ? undefined : setTimeout(resolve, latency);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('given up'));
    });
  });
}

declare global {
  interface Window {
    /** The grid's requests, for browser tests. */
    gridLog: unknown[];
    /** Sends the held answers. */
    gridAnswer(): void;
  }
}
window.gridLog = [];
window.gridAnswer = () => {
  const waiting = held;
  held = [];
  for (const answer of waiting) answer();
};

function createWindow(): RowWindow {
  return new RowWindow({
    loadRows: async (start, limit, signal) => {
      await wait(signal);
      if (query.has('fail')) throw new Error('the server did not answer');
      return Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, at) =>
        makeRow(start + at),
      );
    },
    countRows: async (signal) => {
      await wait(signal);
      return total;
    },
  });
}

function Demo(): ReactNode {
  const [columns, setColumns] = useState(firstColumns);
  const source = useMemo(() => createWindow(), []);
  const readOnly = query.has('readonly');
  return (
    <Grid
      label="Demo table"
      project={project}
      table={table}
      columns={columns}
      source={source}
      readOnly={readOnly}
      onCommitCells={async (changes) => {
        window.gridLog.push({ kind: 'commit', changes });
        await new Promise((resolve) => setTimeout(resolve, latency));
        if (query.has('refuse')) {
          return changes.map(({ rowKey, columnId }) => ({
            rowKey,
            columnId,
            message: 'the demo refuses everything',
          }));
        }
        for (const { rowKey, columnId, value } of changes) {
          written.set(rowKey, { ...written.get(rowKey), [columnId]: value });
        }
        source.patchRows(new Map(changes.map(({ rowKey }) => [rowKey, written.get(rowKey) ?? {}])));
        return [];
      }}
      onPasteRows={async (rows) => {
        window.gridLog.push({ kind: 'pasteRows', rows });
        const keys = rows.map((values, at) => {
          const key = String(total + at);
          const empty = Object.fromEntries(columns.map(({ entity: { id } }) => [id, null]));
          written.set(key, { ...empty, ...values });
          return key;
        });
        total += rows.length;
        source.refresh();
        await source.load(total - rows.length, total);
        return keys;
      }}
      onAppendRow={() => {
        written.set(String(total), Object.fromEntries(columns.map(({ entity: { id } }) => [id, null])));
        total += 1;
        source.refresh();
      }}
      onInsertColumn={() => window.gridLog.push({ kind: 'insertColumn' })}
      onColumnMenu={(columnId) => window.gridLog.push({ kind: 'columnMenu', columnId })}
      onContextMenu={(request) => window.gridLog.push({ kind: 'contextMenu', request })}
      onResizeColumn={(columnId, width) =>
        setColumns((before) =>
          before.map((column) => (column.entity.id === columnId ? { ...column, width } : column)),
        )
      }
      onReorderColumn={(columnId, beforeId) =>
        setColumns((before) => {
          const moved = before.filter((column) => column.entity.id === columnId);
          const rest = before.filter((column) => column.entity.id !== columnId);
          const at =
            beforeId === undefined ? rest.length : rest.findIndex((column) => column.entity.id === beforeId);
          return [...rest.slice(0, at), ...moved, ...rest.slice(at)];
        })
      }
      onDeleteRows={(keys) => window.gridLog.push({ kind: 'deleteRows', keys })}
      onOpenRow={(key) => window.gridLog.push({ kind: 'openRow', key })}
      onUndo={() => window.gridLog.push({ kind: 'undo' })}
      onRedo={() => window.gridLog.push({ kind: 'redo' })}
      onCellError={(columnId, error) =>
        window.gridLog.push({ kind: 'cellError', columnId, message: error.message })
      }
    />
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The demo page has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <Suspense>
      <Demo />
    </Suspense>
  </StrictMode>,
);
