import { taskErrors } from '../../runtime/tasks/task-errors.ts';
import { isCancelling } from '../../runtime/tasks/task-row.ts';
import type { TaskRows } from '../../runtime/tasks/task-rows.ts';

/** Milliseconds between two reads of a job's row. */
const every = 500;

/** Stores the progress of a schema change, and notices when it is cancelled. */
export class JobProgress {
  readonly #rows: TaskRows;
  readonly #id: string;
  readonly #tell: () => Promise<void>;
  #next = 0;

  constructor(rows: TaskRows, id: string, tell: () => Promise<void>) {
    this.#rows = rows;
    this.#id = id;
    this.#tell = tell;
  }

  /** @throws TrellisError 409 `TASK_CANCELLED`. */
  async show({ done, total }: { readonly done: number; readonly total: number }): Promise<void> {
    const now = performance.now();
    if (now < this.#next && done < total) return;
    this.#next = now + every;
    const id = this.#id;
    await this.#rows.update({ id, fence: 0 }, { done, total });
    const row = await this.#rows.get(id);
    if (row !== undefined && isCancelling(row)) throw taskErrors.create('TASK_CANCELLED');
    await this.#tell();
  }
}
