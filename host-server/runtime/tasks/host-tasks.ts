import { setTimeout as delay } from 'node:timers/promises';
import type { RegistryView } from '@trellis/core';
import type { AccessScope, Bus, TaskEnd, TaskKind, Tasks } from '@trellis/sdk/server';
import type { TaskEntity } from '@trellis/sdk/shared';
import { newId } from '../ids.ts';
import { taskErrors } from './task-errors.ts';
import { asJson } from './task-json.ts';
import {
  isCancellable,
  isFinal,
  isSchemaChange,
  isStartedBy,
  starterIdOf,
  storedPrincipal,
  toEnd,
  toEntity,
  type TaskRow,
} from './task-row.ts';
import type { TaskRows } from './task-rows.ts';

export interface HostTasksDependencies {
  readonly rows: TaskRows;
  readonly kinds: RegistryView<TaskKind>;
  readonly bus: Bus;
}

const longestTitle = 255;
/** Milliseconds between checks for the end of a task when no bus reports it. */
const patience = 1000;

/** Starts, shows and cancels tasks; a `TaskWorker` runs them. */
export class HostTasks implements Tasks {
  readonly #deps: HostTasksDependencies;

  constructor(deps: HostTasksDependencies) {
    this.#deps = deps;
  }

  async start(scope: AccessScope, { kind: id, title, payload }: Parameters<Tasks['start']>[1]) {
    const kind = this.#deps.kinds.get(id);
    if (kind === undefined) throw taskErrors.create('TASK_KIND_DISABLED', { kind: id });
    scope.require(kind.permission);
    const row = await this.#deps.rows.insert({
      id: newId('task'),
      project_id: scope.projectId ?? null,
      kind: id,
      title: title.slice(0, longestTitle),
      payload: asJson('payload', payload),
      principal: storedPrincipal(scope.principal),
      created_by: scope.principal.email,
    });
    return this.#tell(row);
  }

  async list(scope: AccessScope) {
    scope.require('taskList');
    const quiet = this.#deps.kinds.list().filter(({ isQuiet }) => isQuiet === true);
    const rows = await this.#deps.rows.list(
      scope.projectId ?? null,
      quiet.map(({ id }) => id),
    );
    return rows.map((row) => this.#entityOf(row));
  }

  async get(scope: AccessScope, id: string) {
    return this.#entityOf(await this.#find(scope, id));
  }

  async cancel(scope: AccessScope, id: string) {
    const row = await this.#find(scope, id);
    if (isFinal(row.state)) return this.#entityOf(row);
    if (!isCancellable(row)) throw taskErrors.create('TASK_NOT_CANCELLABLE');
    const kind = this.#deps.kinds.get(row.kind);
    if (!isStartedBy(row, scope.principal)) {
      const permission = isSchemaChange(row) ? 'columnUpdate' : kind?.permission;
      // Without the kind of a task its permission is unknown.
      if (permission === undefined) throw taskErrors.create('TASK_KIND_DISABLED', { kind: row.kind });
      scope.require(permission);
    }
    if (kind !== undefined && kind.cleanUp === undefined) await this.#deps.rows.endUnbegun(id);
    await this.#deps.rows.cancel(id);
    return this.#tell(await this.#find(scope, id));
  }

  async ended(scope: AccessScope, id: string, signal?: AbortSignal): Promise<TaskEnd> {
    for (;;) {
      const changed = this.#nextChange(id);
      const row = await this.#find(scope, id);
      if (isFinal(row.state)) {
        void changed.hearing.dispose();
        return { ...toEnd(row), task: this.#entityOf(row) };
      }
      try {
        await Promise.race([changed.promise, delay(patience, undefined, { signal })]);
      } finally {
        void changed.hearing.dispose();
      }
    }
  }

  /** Announces the state of a task. */
  async announce(id: string): Promise<void> {
    const row = await this.#deps.rows.get(id);
    if (row !== undefined) this.#tell(row);
  }

  #entityOf(row: TaskRow): TaskEntity {
    const isQuiet = this.#deps.kinds.get(row.kind)?.isQuiet === true;
    return { ...toEntity(row), ...(isQuiet && { is_quiet: true as const }) };
  }

  #tell(row: TaskRow) {
    const task = this.#entityOf(row);
    const { project_id: projectId, id: taskId } = task;
    this.#deps.bus.publish('task.changed', { projectId, taskId, task, accountId: starterIdOf(row) });
    return task;
  }

  async #find(scope: AccessScope, id: string): Promise<TaskRow> {
    scope.require('taskList');
    const row = await this.#deps.rows.get(id);
    if (row === undefined || row.project_id !== (scope.projectId ?? null))
      throw taskErrors.create('TASK_NOT_FOUND');
    return row;
  }

  #nextChange(id: string) {
    let resolve = (): void => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    const hearing = this.#deps.bus.subscribe('task.changed', {
      message: ({ taskId }) => {
        if (taskId === id) resolve();
      },
      gap: resolve,
    });
    return { promise, hearing };
  }
}
