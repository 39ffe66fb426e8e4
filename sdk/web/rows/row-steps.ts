import type { ApiClient, ApiRequest } from '../api.ts';
import type { CellEdits } from './cell-edits.ts';
import type { EditStep } from './edit-step.ts';
import type { UndoDirection, UndoStack } from './undo-stack.ts';

/** The answer's header with the operation of a write, for undo. */
const operationHeader = 'x-trellis-operation';
const requestHeader = 'x-request-id';
const OWN_REQUESTS_KEPT = 50;

interface StepsOf {
  readonly api: ApiClient;
  readonly undo: UndoStack;
  readonly edits: CellEdits;
  /** The path for undoing an operation: `<path>/<operation>/undo`. Throws if rows are read-only. */
  readonly operations: () => string;
  /** Something was undone or redone, possibly in part. */
  readonly onTaken: () => void;
}

/** The server's answer to an undo. */
interface UndoneRows {
  /** How many rows stay deleted, since their data was deleted permanently. */
  readonly purged?: number;
}

interface WaitingUndo {
  readonly direction: UndoDirection;
  readonly only: EditStep | undefined;
  readonly result: Promise<boolean>;
}

/** Sends writes, records them as steps of this person and tab, and undoes or redoes steps. */
export class RowSteps {
  readonly #of: StepsOf;
  /** The undo or redo that waits for running writes. */
  #waiting: WaitingUndo | undefined;
  readonly #ownRequests = new Set<string>();
  #lastOwn: string | undefined;
  readonly #purged = new WeakMap<EditStep, number>();

  constructor(of: StepsOf) {
    this.#of = of;
  }

  /** Whether a recent call of this client had the id. */
  isOwn(requestId: string): boolean {
    return this.#ownRequests.has(requestId);
  }

  /** Whether a call of this client had the id and was not the last one to be answered. */
  isOverdue(requestId: string): boolean {
    return this.isOwn(requestId) && requestId !== this.#lastOwn;
  }

  /** As `RowsClient.purgedOf`. */
  purgedOf(step: EditStep): number {
    return this.#purged.get(step) ?? 0;
  }

  send<T>(request: ApiRequest, step: EditStep): Promise<T> {
    return this.#of.undo.during(this.#note<T>(request, step));
  }

  /** As `RowsClient.undo`. */
  undo(direction: UndoDirection, only?: EditStep): Promise<boolean> {
    const { undo, edits } = this.#of;
    const waiting = this.#waiting;
    if (waiting?.direction === direction && waiting.only === only) return waiting.result;
    if (!edits.isWriting && !undo.isWriting) return undo.taking(direction, this.#take(direction, only));
    const result = undo.taking(direction, this.#takeLater(direction, only));
    this.#waiting = { direction, only, result };
    return result;
  }

  async #takeLater(direction: UndoDirection, only: EditStep | undefined): Promise<boolean> {
    await this.#of.edits.settled();
    await this.#of.undo.settled();
    this.#waiting = undefined;
    return this.#take(direction, only);
  }

  async #take(direction: UndoDirection, only: EditStep | undefined): Promise<boolean> {
    const { api, undo, operations, onTaken } = this.#of;
    let wrote = false;
    let purged = 0;
    const call = async (operation: string): Promise<string | undefined> => {
      wrote = true;
      const path = `${operations()}/${encodeURIComponent(operation)}/undo`;
      const { data, headers } = await api.send<UndoneRows | undefined>({ method: 'POST', path });
      this.#rememberOwn(headers);
      purged += data?.purged ?? 0;
      return headers[operationHeader];
    };
    try {
      const taken = await undo.step(direction, call, only);
      if (taken !== undefined) this.#purged.set(taken, purged);
      return taken !== undefined;
    } finally {
      if (wrote) onTaken();
    }
  }

  async #note<T>(request: ApiRequest, step: EditStep): Promise<T> {
    const { api, undo, edits } = this.#of;
    const { data, headers } = await api.send<T>(request);
    this.#rememberOwn(headers);
    const operation = headers[operationHeader];
    if (operation !== undefined) undo.did(operation, step, edits);
    return data;
  }

  #rememberOwn(headers: Readonly<Record<string, string>>): void {
    const id = headers[requestHeader];
    if (id === undefined) return;
    this.#ownRequests.add(id);
    this.#lastOwn = id;
    for (const oldest of this.#ownRequests) {
      if (this.#ownRequests.size <= OWN_REQUESTS_KEPT) break;
      this.#ownRequests.delete(oldest);
    }
  }
}
