import { ApiError } from '../api.ts';
import { ChangeCount } from './change-count.ts';
import type { EditStep } from './edit-step.ts';
import type { StepPreparation } from './step-preparation.ts';

/** The number of steps that can be undone. */
const DEPTH = 100;

/** The storage in which a stack survives a reload of the page. */
export interface UndoMemory {
  read(): string | undefined;
  write(text: string): void;
}

/** A step with its operations, in order. */
export interface RecordedStep {
  readonly step: EditStep;
  /** None for a step of which everything was refused. */
  readonly operations: readonly string[];
  /** Whether there were changes around the rows for it. */
  readonly isPrepared?: boolean;
}

/** Undo or redo. @public */
export type UndoDirection = 'undo' | 'redo';

type Steps = readonly RecordedStep[];

/** What a person sees of refused steps. */
export interface StepMarks {
  /** True while something of the step is visible. */
  shows(step: EditStep): boolean;
  takeBack(step: EditStep): void;
}

/**
 * The person's done and undone steps in this tab: everything that writes to a table records its steps in the same stack. Only one
 * runs at a time. An operation whose answer was lost stays, so that it can be retried; one that the server finally refuses is
 * removed.
 */
export class UndoStack {
  #done: Steps = [];
  #undone: Steps = [];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #marks = new WeakMap<EditStep, StepMarks>();
  readonly #preparations = new WeakMap<EditStep, StepPreparation>();
  /** Steps from before the page was loaded that had changes around the rows. */
  readonly #unprepared = new WeakSet<EditStep>();
  readonly #writing = new Set<Promise<unknown>>();
  readonly #taking = new Map<Promise<unknown>, UndoDirection>();
  readonly #changes = new ChangeCount();
  readonly #memory: UndoMemory;

  constructor(memory: UndoMemory) {
    this.#memory = memory;
    [this.#done, this.#undone] = parse(memory.read());
    for (const { step, isPrepared } of [...this.#done, ...this.#undone])
      if (isPrepared === true) this.#unprepared.add(step);
  }

  /** Notified of each change of the steps; returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => this.#changes.subscribe(listener);

  /** Records an operation of a step, new or known. */
  did(operation: string, step: EditStep, marks: StepMarks): void {
    this.#marks.set(step, marks);
    this.#keep(withOperations(this.#done, step, [operation]).slice(-DEPTH), []);
  }

  /** Records a step of which nothing was accepted so far: its visible marks can be undone, too. */
  began(step: EditStep, marks: StepMarks): void {
    this.#marks.set(step, marks);
    this.#keep(withOperations(this.#done, step, []).slice(-DEPTH), this.#undone);
  }

  /** Records changes around the rows for a step. They exist as long as the page, while the step may survive it. */
  prepared(step: EditStep, preparation: StepPreparation): void {
    this.#preparations.set(step, preparation);
  }

  /** Whether the changes around the rows stay when a step is undone: the page was reloaded since. */
  leavesBehind(step: EditStep): boolean {
    return this.#unprepared.has(step);
  }

  /** Removes steps of which everything was refused, and whose marks are no longer visible. */
  forgetMarks(marks: StepMarks): void {
    const isKept = ({ step, operations }: RecordedStep): boolean =>
      operations.length > 0 || this.#marks.get(step) !== marks;
    this.#keep(this.#done.filter(isKept), this.#undone.filter(isKept));
  }

  /** Whether a write is running whose step is not recorded yet. */
  get isWriting(): boolean {
    return this.#writing.size > 0;
  }

  /** Delays undo until this write is settled. */
  async during<T>(write: Promise<T>): Promise<T> {
    this.#writing.add(write);
    try {
      return await write;
    } finally {
      this.#writing.delete(write);
    }
  }

  /** Resolves when the running writes are settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  /** Whether an undo or redo is running, or waits for writes. */
  isTaking(direction: UndoDirection): boolean {
    return [...this.#taking.values()].includes(direction);
  }

  /** Marks an undo or redo as running. */
  async taking<T>(direction: UndoDirection, work: Promise<T>): Promise<T> {
    this.#taking.set(work, direction);
    this.#changes.announce();
    try {
      return await work;
    } finally {
      this.#taking.delete(work);
      this.#changes.announce();
    }
  }

  /** The next step to undo or redo: one of which something was accepted, or is still visible. */
  next(direction: UndoDirection): RecordedStep | undefined {
    return this.steps(direction).find(this.#isLeft);
  }

  /** The steps to undo or redo, the last one first. */
  steps(direction: UndoDirection): Steps {
    return (direction === 'undo' ? this.#done : this.#undone).toReversed();
  }

  /**
   * Undoes or redoes the last step: `call` gets the id of each of its operations and resolves to the id of the reverse one.
   * Resolves to the step, or to undefined if there is none, or if it is not the given `only` step; rejects as `call` does, and the
   * rest of the step stays.
   */
  step(
    direction: UndoDirection,
    call: (operation: string) => Promise<string | undefined>,
    only?: EditStep,
  ): Promise<EditStep | undefined> {
    const turn = this.#turn.then(() => this.#step(direction, call, only));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #step(
    direction: UndoDirection,
    call: (operation: string) => Promise<string | undefined>,
    only: EditStep | undefined,
  ): Promise<EditStep | undefined> {
    this.#keep(this.#done.filter(this.#isLeft), this.#undone.filter(this.#isLeft));
    const [next] = this.steps(direction);
    if (next === undefined || (only !== undefined && next.step !== only)) return undefined;
    const { step } = next;
    if (direction === 'redo') await this.#prepareAgain(next);
    if (next.operations.length === 0) this.#keep(without(this.#done, next), without(this.#undone, next));
    for (const operation of next.operations.toReversed()) {
      try {
        const reverse = await call(operation);
        this.#moved(direction, step, operation, reverse === undefined ? [] : [reverse]);
      } catch (error) {
        if (isRefusal(error)) this.#moved(direction, step, operation, []);
        throw error;
      }
    }
    if (direction === 'undo') {
      this.#marks.get(step)?.takeBack(step);
      await this.#preparations.get(step)?.undo();
    }
    return step;
  }

  async #prepareAgain(next: RecordedStep): Promise<void> {
    try {
      await this.#preparations.get(next.step)?.redo();
    } catch (error) {
      if (isRefusal(error)) this.#keep(this.#done, without(this.#undone, next));
      throw error;
    }
  }

  readonly #isLeft = ({ step, operations }: RecordedStep): boolean =>
    operations.length > 0 || this.#marks.get(step)?.shows(step) === true;

  #moved(direction: UndoDirection, step: EditStep, operation: string, reverse: readonly string[]): void {
    const [done, undone] = [this.#done, this.#undone];
    const to = (steps: Steps): Steps =>
      reverse.length > 0 ? withOperations(steps, step, reverse).slice(-DEPTH) : steps;
    if (direction === 'undo') this.#keep(withoutOperation(done, operation), to(undone));
    else this.#keep(to(done), withoutOperation(undone, operation));
  }

  #keep(done: Steps, undone: Steps): void {
    this.#done = done;
    this.#undone = undone;
    const isPrepared = (step: EditStep) => this.#preparations.has(step) || this.#unprepared.has(step);
    const lasting = (steps: Steps): Steps =>
      steps
        .filter(({ operations }) => operations.length > 0)
        .map(({ step, operations }) => ({ step, operations, ...(isPrepared(step) && { isPrepared: true }) }));
    this.#memory.write(JSON.stringify([lasting(done), lasting(undone)]));
    this.#changes.announce();
  }
}

function without(steps: Steps, step: RecordedStep): Steps {
  return steps.filter((each) => each !== step);
}

function withOperations(steps: Steps, step: EditStep, operations: readonly string[]): Steps {
  const at = steps.findIndex((each) => each.step === step);
  const known = steps[at];
  return known === undefined
    ? [...steps, { step, operations }]
    : steps.with(at, { step, operations: [...known.operations, ...operations] });
}

function withoutOperation(steps: Steps, operation: string): Steps {
  return steps.flatMap((each): Steps => {
    if (!each.operations.includes(operation)) return [each];
    const operations = each.operations.filter((id) => id !== operation);
    return operations.length > 0 ? [{ ...each, operations }] : [];
  });
}

/** True if a retry would have the same answer. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 408, 429].includes(error.status)
  );
}

function parse(text: string | undefined): readonly [Steps, Steps] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    const [done, undone] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return [stepsIn(done), stepsIn(undone)];
  } catch {
    // A foreign value: there is nothing to undo.
    return [[], []];
  }
}

function stepsIn(value: unknown): Steps {
  return Array.isArray(value) ? value.filter(isRecordedStep) : [];
}

function isRecordedStep(value: unknown): value is RecordedStep {
  const { step, operations } = (value ?? {}) as Partial<RecordedStep>;
  return (
    typeof step?.kind === 'string' &&
    typeof step.count === 'number' &&
    Array.isArray(operations) &&
    operations.every((each) => typeof each === 'string')
  );
}

/** A stack that lives as long as the tab, for one person and table. */
export function undoMemoryOfTab(userId: string, tableId: string): UndoMemory {
  const key = `trellis.undo.${userId}.${tableId}`;
  return {
    read: () => sessionStorage.getItem(key) ?? undefined,
    write: (text) => {
      try {
        sessionStorage.setItem(key, text);
      } catch {
        // The browser's storage is full: the stack is lost on reload.
      }
    },
  };
}
