import type { Bus, RowStore, TaskKind, Tasks } from '@trellis/sdk/server';
import type { HostSchemaStore } from '../schema/schema-store.ts';
import { createConditionReach } from './condition-reach.ts';
import { createDeletedRows } from './deleted-rows.ts';
import { createLinkedRowWrites } from './link-writer.ts';
import { createLinkedReads } from './linked-rows.ts';
import { RowLoader } from './loading/row-loader.ts';
import { OpenTables, type OpenTablesDependencies } from './open-table.ts';
import { createRowHistory } from './row-history.ts';
import { createRowReads, type RowReaderDependencies } from './row-reader.ts';
import { createRowWrites, type RowWriterDependencies } from './row-writer.ts';
import { settlePending, type SettleDependencies, type Settled } from './settle-pending.ts';
import { TableMemory } from './table-memory.ts';

export type RowStoreDependencies = OpenTablesDependencies &
  Omit<RowReaderDependencies & RowWriterDependencies, 'tables' | 'memory'> & {
    readonly schema: HostSchemaStore;
    readonly bus: Bus;
    readonly tasks: Pick<Tasks, 'start'>;
  };

/** The row store with the methods for the host itself. */
export interface HostRowStore extends RowStore {
  /** See `settlePending`. */
  settlePending(scopeFor: SettleDependencies['scopeFor'], before: number): Promise<Settled>;
  /** The kind of task that adds loaded rows. */
  readonly loadKind: TaskKind;
  /** See `RowLoader.sweep`. */
  sweepLoads(unfinished: readonly unknown[]): Promise<void>;
}

/** The only access to rows. */
export function createRowStore(deps: RowStoreDependencies): HostRowStore {
  const parts = { ...deps, tables: new OpenTables(deps), memory: new TableMemory(deps.bus) };
  const loader = new RowLoader(parts);
  const reads = createRowReads(parts);
  const { updateHolding, changeLinks, ...writes } = createRowWrites(parts);
  return {
    ...reads,
    ...createRowHistory({ ...parts, exists: reads.exists }),
    ...createDeletedRows(deps),
    ...createLinkedReads(parts),
    ...createConditionReach(parts.tables),
    ...writes,
    ...createLinkedRowWrites(parts, { ...writes, updateHolding, changeLinks }),
    load: (handle, rows, options) => loader.load(handle, rows, options),
    loadKind: loader.kind(),
    sweepLoads: (unfinished) => loader.sweep(unfinished),
    settlePending: (scopeFor, before) => settlePending({ ...parts, scopeFor }, before),
  };
}
