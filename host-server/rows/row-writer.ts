import type {
  AccessScope,
  Change,
  RowInput,
  RowQuery,
  ValuesByColumn,
  WriteAnswer,
} from '@trellis/sdk/server';
import { formatRowKey, type Row, type RowKey } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/change-recorder.ts';
import { deleteMatching, updateMatching } from '../query/select.ts';
import { assignments, deleteOne, keysWhere, matchingRows, updateOne } from './change-rows.ts';
import { deleteRows, updateRows } from './change-matching.ts';
import { lockAll } from './lock-rows.ts';
import { insertMany, insertOne } from './insert-rows.ts';
import { rowErrors } from './row-errors.ts';
import type { RowReader } from './row-reader.ts';
import { RecordedWrites, type Intent, type RecordedWritesDependencies } from './recorded-writes.ts';
import { inverse, revertChange } from './revert-change.ts';
import { byColumnId, keyObject, keyOf, whereOf, type Where } from './row-values.ts';
import { rowBuilder, type Values } from './table-plan.ts';
import { WriteInput, type WriteInputDependencies } from './write-input.ts';

export type RowWriterDependencies = RecordedWritesDependencies & WriteInputDependencies;

/** Writes of rows: one transaction each, with its change records. */
export class RowWriter {
  readonly #reader: RowReader;
  readonly #input: WriteInput;
  readonly #writes: RecordedWrites;

  constructor(deps: RowWriterDependencies) {
    this.#reader = deps.reader;
    this.#input = new WriteInput(deps);
    this.#writes = new RecordedWrites(deps);
  }

  async create(scope: AccessScope, tableId: string, input: RowInput): Promise<WriteAnswer<Row>> {
    const open = await this.#input.open(scope, tableId);
    const [values] = await this.#input.willCreate(scope, open, [this.#input.read(scope, open, input)]);
    return this.#writes.run(scope, open, [{ op: 'insert', values }], async (unit) => {
      const { cells, change } = await insertOne(this.#reader, unit, open, values ?? new Map());
      return { result: rowBuilder(open.plan.columns)(cells), changes: [change] };
    });
  }

  async createMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RowInput[],
  ): Promise<WriteAnswer<readonly Row[]>> {
    const open = await this.#input.open(scope, tableId);
    if (inputs.length === 0) return { result: [], operationId: undefined };
    const read = inputs.map((input, index) => this.#input.read(scope, open, input, index + 1));
    const rows = await this.#input.willCreate(scope, open, read);
    return this.#writes.run(
      scope,
      open,
      rows.map((values) => ({ op: 'insert', values })),
      async (unit) => {
        const changes = await insertMany(this.#reader, unit, open, rows);
        return { result: changes.map((change) => keyObject(open, change)), changes };
      },
    );
  }

  async update(
    scope: AccessScope,
    tableId: string,
    key: RowKey,
    input: RowInput,
  ): Promise<WriteAnswer<Row | undefined>> {
    const open = await this.#input.open(scope, tableId);
    const values = this.#input.read(scope, open, input);
    if (values.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
    const where = this.#reader.keyValues(open, key);
    if (where === undefined) return { result: undefined, operationId: undefined };
    const [patch] = await this.#input.willUpdate(scope, open, [{ key, values }]);
    return this.#writes.run(scope, open, [{ op: 'update', key, values: patch?.values }], async (unit) => {
      const updated = await updateOne(this.#reader, unit, open, where, patch?.values ?? values, scope);
      if (updated === undefined) return { result: undefined, changes: [] };
      return {
        result: rowBuilder(open.plan.columns)(updated.cells),
        changes: updated.change ? [updated.change] : [],
      };
    });
  }

  async updateMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RowInput[],
  ): Promise<WriteAnswer<readonly number[]>> {
    const open = await this.#input.open(scope, tableId);
    const targets = inputs.map((input, index) => {
      const values = new Map(this.#input.read(scope, open, input, index + 1));
      const key = this.#input.takeKey(open, values);
      return { key, values: values as Values };
    });
    const named = targets.flatMap(({ key, values }) => (key === undefined ? [] : [{ key, values }]));
    const patches = await this.#input.willUpdate(scope, open, named);
    const announced = patches.map(({ key, values }) => ({ op: 'update' as const, key, values }));
    return this.#writes.run(scope, open, announced, async (unit) => {
      await lockAll(
        this.#reader,
        unit,
        open,
        patches.map(({ key }) => key),
      );
      const changes: RowChange[] = [];
      const counts: number[] = [];
      let at = 0;
      for (const target of targets) {
        if (target.key === undefined) continue;
        const patch = patches[at] ?? { key: target.key, values: target.values };
        at += 1;
        const where = this.#reader.keyValues(open, patch.key);
        const updated =
          where && patch.values.size > 0
            ? await updateOne(this.#reader, unit, open, where, patch.values, scope)
            : undefined;
        if (updated?.change) changes.push(updated.change);
        counts.push(updated === undefined ? 0 : 1);
      }
      return { result: counts, changes };
    });
  }

  async delete(scope: AccessScope, tableId: string, key: RowKey): Promise<WriteAnswer<number>> {
    const open = await this.#input.open(scope, tableId);
    const where = this.#reader.keyValues(open, key);
    if (where === undefined) return { result: 0, operationId: undefined };
    await this.#input.willDelete(scope, open, [key]);
    return this.#writes.run(scope, open, [{ op: 'delete', key }], async (unit) => {
      const change = await deleteOne(this.#reader, unit, open, where, scope);
      return { result: change === undefined ? 0 : 1, changes: change === undefined ? [] : [change] };
    });
  }

  async deleteMany(
    scope: AccessScope,
    tableId: string,
    inputs: readonly RowInput[],
  ): Promise<WriteAnswer<readonly number[]>> {
    const open = await this.#input.open(scope, tableId);
    const conditions = inputs.flatMap((input, index) =>
      Object.keys(input).length > 0 ? [this.#input.condition(scope, open, input, index + 1)] : [],
    );
    const forced = scope.rowPredicate(tableId);
    const intents = conditions.map(({ key }): Intent => ({ op: 'delete', key }));
    return this.#writes.run(scope, open, intents, async (unit) => {
      await lockAll(
        this.#reader,
        unit,
        open,
        conditions.map(({ key }) => key),
      );
      const targets: (readonly Where[])[] = [];
      for (const { where } of conditions) targets.push(await keysWhere(unit, open, where, forced));
      await this.#input.willDelete(
        scope,
        open,
        targets.flat().map((where) => formatRowKey(where.map(([of, value]) => of.decode(value)))),
      );
      const changes: RowChange[] = [];
      const counts: number[] = [];
      for (const wheres of targets) {
        const before = changes.length;
        for (const where of wheres) {
          const change = await deleteOne(this.#reader, unit, open, where, scope);
          if (change) changes.push(change);
        }
        counts.push(changes.length - before);
      }
      return { result: counts, changes };
    });
  }

  async updateAll(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    input: RowInput,
  ): Promise<WriteAnswer<number>> {
    const open = await this.#input.open(scope, tableId);
    const values = this.#input.read(scope, open, input);
    // The v1 API promises that a body which holds a key updates nothing: it means a row, not all of them.
    if ([...values.keys()].some((of) => of.column.primaryKey)) return { result: 0, operationId: undefined };
    if (values.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
    const { question } = this.#reader.prepare(scope, open, query);
    return this.#writes.run(scope, open, [{ op: 'update', values }], async (unit) => {
      const rows = await matchingRows(unit, open, question);
      if (rows === undefined) {
        this.#input.assertUnasked('rows.willUpdate', open);
        const { changes } = await unit.run(updateMatching(question, assignments(open, values)));
        const after = { ...byColumnId(values), count: changes } as ValuesByColumn;
        return {
          result: changes,
          kind: 'rowSet',
          changes: [{ op: 'update', rowKey: undefined, before: undefined, after }],
        };
      }
      const patches = await this.#input.willUpdate(
        scope,
        open,
        rows.map((cells) => ({ key: keyOf(open, cells), values })),
      );
      const locked = { reader: this.#reader, unit, open, scope };
      if (patches.every((patch) => patch.values === values))
        return { result: rows.length, changes: await updateRows({ ...locked, rows }, values) };
      const changes: RowChange[] = [];
      for (const [index, cells] of rows.entries()) {
        const patch = patches[index]?.values ?? values;
        const updated = await updateOne(this.#reader, unit, open, whereOf(open, cells), patch, scope);
        if (updated?.change) changes.push(updated.change);
      }
      return { result: rows.length, changes };
    });
  }

  async deleteAll(scope: AccessScope, tableId: string, query: RowQuery): Promise<WriteAnswer<number>> {
    const open = await this.#input.open(scope, tableId);
    const { question } = this.#reader.prepare(scope, open, query);
    return this.#writes.run(scope, open, [{ op: 'delete' }], async (unit) => {
      const rows = await matchingRows(unit, open, question);
      if (rows === undefined) {
        this.#input.assertUnasked('rows.willDelete', open);
        const { changes } = await unit.run(deleteMatching(question));
        const change: RowChange = {
          op: 'delete',
          rowKey: undefined,
          before: undefined,
          after: { count: changes },
        };
        return { result: changes, kind: 'rowSet', changes: [change] };
      }
      await this.#input.willDelete(
        scope,
        open,
        rows.map((cells) => keyOf(open, cells)),
      );
      const changes = await deleteRows({ reader: this.#reader, unit, open, rows, scope });
      return { result: changes.length, changes };
    });
  }

  /** Puts rows back as they were before an operation, where they still are as it left them. */
  async revert(
    scope: AccessScope,
    tableId: string,
    changes: readonly Change[],
  ): Promise<WriteAnswer<number>> {
    const open = await this.#input.open(scope, tableId);
    const former = await this.#input.willRevert(scope, open, changes);
    const intents = changes.map((change): Intent => ({ op: inverse[change.op], key: change.rowKey }));
    return this.#writes.run(
      scope,
      open,
      intents,
      async (unit) => {
        await lockAll(
          this.#reader,
          unit,
          open,
          changes.map(({ rowKey }) => rowKey),
        );
        const done: RowChange[] = [];
        for (const change of changes.toReversed()) {
          const values = former.get(change) ?? new Map();
          done.push(await revertChange(this.#reader, unit, open, { change, values }, scope));
        }
        return { result: done.length, changes: done };
      },
      'undo',
    );
  }
}
