import { ApiError } from '../api.ts';
import { ChangeCount } from './change-count.ts';
import type { EditStep } from './edit-step.ts';
import type { StepPreparation } from './step-preparation.ts';

/** So many steps can be taken back. */
const DEPTH = 100;

/** Where a stack outlives a reload of the page. */
export interface UndoMemory {
  read(): string | undefined;
  write(text: string): void;
}

/** A step and the operations that it consists of, in the order in which they were done. */
export interface RecordedStep {
  readonly step: EditStep;
  /** None for a step of which nothing was taken. */
  readonly operations: readonly string[];
  /** Whether something was changed around the rows for it. */
  readonly isPrepared?: boolean;
}

/** Taking the last step back, or doing it again. @public */
export type UndoDirection = 'undo' | 'redo';

type Steps = readonly RecordedStep[];

/** What a person sees of steps that were not taken, where they see it. */
export interface StepMarks {
  /** True while something of the step is to be seen. */
  shows(step: EditStep): boolean;
  takeBack(step: EditStep): void;
}

/**
 * The steps that a person did, and took back, in this tab: all that write to a table note theirs in the same stack. Only one is on its way at a time, and an operation whose answer was
 * lost stays, so that it can be tried again; one that the server refuses for good goes.
 */
export class UndoStack {
  #done: Steps = [];
  #undone: Steps = [];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #marks = new WeakMap<EditStep, StepMarks>();
  readonly #preparations = new WeakMap<EditStep, StepPreparation>();
  /** Steps from before the page was loaded, for which something was changed around the rows. */
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

  /** Hears of each change of the steps; returns the way back. */
  readonly subscribe = (listener: () => void): (() => void) => this.#changes.subscribe(listener);

  /** Notes an operation of a step: a new one, or one that others were noted of. */
  did(operation: string, step: EditStep, marks: StepMarks): void {
    this.#marks.set(step, marks);
    this.#keep(withOperations(this.#done, step, [operation]).slice(-DEPTH), []);
  }

  /** Notes a step of which nothing was taken so far: what the person sees of it can be taken back, too. */
  began(step: EditStep, marks: StepMarks): void {
    this.#marks.set(step, marks);
    this.#keep(withOperations(this.#done, step, []).slice(-DEPTH), this.#undone);
  }

  /** Notes what was changed around the rows for a step. It lives as long as the page, while the step may outlive it. */
  prepared(step: EditStep, preparation: StepPreparation): void {
    this.#preparations.set(step, preparation);
  }

  /** Whether what was changed around the rows for a step stays when it is taken back: the page was loaded again since then. */
  leavesBehind(step: EditStep): boolean {
    return this.#unprepared.has(step);
  }

  /** Forgets steps of which nothing was taken, and whose marks are out of sight for good. */
  forgetMarks(marks: StepMarks): void {
    const isKept = ({ step, operations }: RecordedStep): boolean =>
      operations.length > 0 || this.#marks.get(step) !== marks;
    this.#keep(this.#done.filter(isKept), this.#undone.filter(isKept));
  }

  /** Whether a write is on its way, of which a step is yet to be noted. */
  get isWriting(): boolean {
    return this.#writing.size > 0;
  }

  /** Holds what is taken back until this write is settled. */
  async during<T>(write: Promise<T>): Promise<T> {
    this.#writing.add(write);
    try {
      return await write;
    } finally {
      this.#writing.delete(write);
    }
  }

  /** Resolves when the writes that are on their way are settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  /** Whether a step is on its way back, or is done again, or waits for writes to be settled before. */
  isTaking(direction: UndoDirection): boolean {
    return [...this.#taking.values()].includes(direction);
  }

  /** Says so as long as this is under way. */
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

  /** The step that is taken back next, or done again: one of which something was taken, or is left to be seen. */
  next(direction: UndoDirection): RecordedStep | undefined {
    return this.steps(direction).find(this.#isLeft);
  }

  /** What can be taken back, or done again; the last one comes first. */
  steps(direction: UndoDirection): Steps {
    return (direction === 'undo' ? this.#done : this.#undone).toReversed();
  }

  /**
   * Takes the last step back, or does it again: `call` is given the id of each of its operations and resolves to the id of what it
   * did. Resolves to the step, or to undefined when there is none, or when it is not the one that is `only` meant; rejects as `call`
   * does, and the rest of the step stays.
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

/** True when trying again would be answered the same. */
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
    // Somebody else's text: there is nothing to take back.
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
        // A browser without room for it: the stack lives until the page is loaded again.
      }
    },
  };
}
