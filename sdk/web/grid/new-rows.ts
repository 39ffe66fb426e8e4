import type { GridCommand } from './grid-keyboard.ts';
import type { GridModel } from './grid-model.ts';
import { editsInPlace } from './grid-column.ts';
import { whyNotEditable } from './grid-context.ts';
import { tellLost } from './tell-lost.ts';
import type { RowPlace } from '../rows/index.ts';
import { performCommand } from './perform-command.ts';
import type { AppendedRow, UnsavedCell } from './grid-types.ts';

/** A key that was pressed before the row existed, and the text before it. */
export interface TypedAhead {
  readonly text: string;
  readonly command: GridCommand;
}

/** A row that is being added. */
interface AwaitedRow {
  /** The column in which the person continues; the page decides if undefined. */
  column: number | undefined;
  /** Whether the person continues with another new row after it, as below the last row. */
  readonly isLast: boolean;
  /** Known before the grid is drawn with the row. */
  key?: string;
  ahead: readonly TypedAhead[];
  /** Settles when the row was added or refused; never rejects. */
  settled?: Promise<void>;
}

/** How long the keyboard waits for a row, in milliseconds. */
const LONGEST_WAIT = 10_000;
/** How often it is then checked whether a text is still being typed, in milliseconds. */
const LOOK_AGAIN = 1000;

/**
 * Rows that are typed one after the other: moving past the last row leads to the line under it, and typing there adds a row. Text
 * typed until the row exists waits for it. A person who goes elsewhere, presses Escape or waits too long without typing gets the
 * keyboard back at once; the text is then written to the row in the background.
 */
export class NewRows {
  readonly #model: GridModel;
  #awaited: AwaitedRow | undefined;
  /** Rows for which the person did not wait. */
  readonly #left = new Set<AwaitedRow>();
  #limit: ReturnType<typeof setTimeout> | undefined;
  /** The row that was added last, as long as the person is in it: moving down from it adds another one. */
  #last: string | undefined;
  /** The row from which the person moved to the line under the last one: the next row belongs to its group. */
  #beside: string | undefined;
  /** What was lost after the grid was removed, when nobody can be told any more; undefined until then. */
  #lost: string[] | undefined;

  constructor(model: GridModel) {
    this.#model = model;
  }

  get isAdding(): boolean {
    return this.#awaited !== undefined;
  }

  /** Whether leaving the page would lose text typed for a row that is being added. */
  get hasUnsaved(): boolean {
    const isTyped = ({ ahead }: AwaitedRow): boolean => ahead.some(({ text }) => text !== '');
    const isTyping =
      this.#awaited !== undefined && (isTyped(this.#awaited) || this.#model.state.typedText !== '');
    return isTyping || [...this.#left].some(isTyped);
  }

  /**
   * Adds a row with the page's handler, or with `request`.
   *
   * @param column where the person continues; the page decides by default
   * @param isLast false for a row between others: from there the person continues with the next one
   */
  add(request?: (isAwaited: () => boolean) => AppendedRow, column?: number, isLast = true): void {
    const { state } = this.#model;
    const { handlers } = state.context;
    if (this.isAdding || !state.canAppend) return;
    const awaited: AwaitedRow = { column, isLast, ahead: [] };
    const isAwaited = (): boolean => this.#awaited === awaited;
    const asked = request === undefined ? handlers.onAppendRow?.(undefined, isAwaited) : request(isAwaited);
    if (!(asked instanceof Promise)) return;
    this.#awaited = awaited;
    this.#limit = setTimeout(() => this.#leaveUnlessTyping(), LONGEST_WAIT);
    state.set({ adding: true });
    awaited.settled = asked.then(
      (key) => this.#settle(awaited, key),
      () => this.#settle(awaited, undefined),
    );
  }

  /** Like `add`, from the selected cell: to its group, in its column. */
  addHere(): void {
    const { state } = this.#model;
    const { active } = state.getSnapshot().selection ?? {};
    if (active === undefined) return this.add();
    const { handlers, source } = state.context;
    const left = this.#beside === undefined ? undefined : source.indexOf(this.#beside);
    const beside = left ?? Math.min(active.row, state.endRow - 1);
    this.add(
      (isAwaited) => handlers.onAppendRow?.(beside < 0 ? undefined : beside, isAwaited),
      active.column,
    );
  }

  /** Like `add`, right before or after the selected row, in its column; false if rows have no manual order. */
  addBeside(side: RowPlace['side']): boolean {
    const { state } = this.#model;
    const { handlers } = state.context;
    const { active } = state.getSnapshot().selection ?? {};
    const insert = handlers.onInsertRow;
    if (insert === undefined || active === undefined || !state.canAppend) return false;
    if (state.isAtEnd) this.addHere();
    else this.add((isAwaited) => insert(active.row, side, isAwaited), active.column, false);
    return true;
  }

  /** Stores a key that was pressed while the row is being added, and the text before it. */
  typeAhead(text: string, command: GridCommand): void {
    const awaited = this.#awaited;
    if (awaited !== undefined) awaited.ahead = [...awaited.ahead, { text, command }];
  }

  /** Stops waiting for the row, which is still added: the keyboard belongs to the selected cell again. */
  leave(): void {
    const awaited = this.#awaited;
    if (awaited === undefined) return;
    const { state } = this.#model;
    const text = state.takeTypedText();
    if (text !== '') this.typeAhead(text, { kind: 'commit', move: 'stay' });
    awaited.column ??= state.getSnapshot().selection?.active.column;
    this.#stopWaiting();
    state.set({ adding: false });
    if (awaited.key === undefined) this.#left.add(awaited);
    else this.#enterUnseen(awaited, awaited.key);
  }

  /** Called for each selection: only a person who is still in the row added last continues from it. */
  selected(row: number): void {
    const { source } = this.#model.state.context;
    if (source.rowAt(row)?.key !== this.#last) this.#last = undefined;
    this.#beside = undefined;
  }

  /**
   * Continues from the row added last instead of moving down from it: to the line where typing adds the next one; false if the
   * person is elsewhere. Another row may be below it, by the sorts of a view: the next text must not overwrite that.
   *
   * @param column where the next row begins
   */
  goOn(column: number): boolean {
    const { state } = this.#model;
    const row = state.activeRow;
    const active = state.getSnapshot().selection?.active;
    if (row === undefined || active === undefined || row.key !== this.#last || !state.canAppend) return false;
    this.#model.select({ row: state.endRow, column });
    this.#beside = row.key;
    return true;
  }

  /** Selects the awaited row as soon as the grid has it, and enters the typed text; an editor that is open by then stays open. */
  takeArrived(): void {
    const { state } = this.#model;
    const { key, column, isLast = false, ahead } = this.#awaited ?? {};
    const index = key === undefined ? undefined : state.context.source.indexOf(key);
    if (key === undefined || ahead === undefined || index === undefined) return;
    if (state.getSnapshot().editing !== undefined) return this.leave();
    this.#stopWaiting();
    this.#last = isLast ? key : undefined;
    const at = column ?? state.getSnapshot().selection?.active.column ?? 0;
    this.#model.select({ row: index, column: at });
    this.enter(ahead);
    if (!this.#model.holdsTyping) state.set({ adding: false });
  }

  /** Stops waiting since the grid is removed; resolves with the texts that got no row. */
  async close(): Promise<readonly UnsavedCell[]> {
    this.#lost = [];
    this.leave();
    await Promise.all([...this.#left].flatMap(({ settled }) => settled ?? []));
    const message = this.#model.state.context.t('No row was added for what you typed.');
    return this.#lost.map((text) => ({ title: '', text, message }));
  }

  /** During a text the keyboard stays: its rest would otherwise go into another row. */
  #leaveUnlessTyping(): void {
    if (this.#model.state.typedText === '') this.leave();
    else this.#limit = setTimeout(() => this.#leaveUnlessTyping(), LOOK_AGAIN);
  }

  #stopWaiting(): void {
    clearTimeout(this.#limit);
    this.#awaited = undefined;
  }

  #settle(awaited: AwaitedRow, key: string | undefined): void {
    const isLeft = this.#left.delete(awaited);
    if (key === undefined) this.#giveUp(awaited);
    else if (isLeft) this.#enterUnseen(awaited, key);
    else {
      awaited.key = key;
      this.takeArrived();
    }
  }

  /** Enters texts at the selected cell and runs what was pressed after each; if a cell is not ready yet, the rest waits for it. */
  enter(waiting: readonly TypedAhead[]): void {
    const { state } = this.#model;
    for (const [at, { text, command }] of waiting.entries()) {
      if (text !== '') {
        if (this.#model.early.begin(waiting.slice(at))) return;
        this.#enterText(text);
      }
      performCommand(this.#model, command);
      const rest = waiting.slice(at + 1);
      if (!this.isAdding && state.isAtEnd && (rest[0]?.text ?? '') !== '') this.addHere();
      if (this.#awaited === undefined) continue;
      this.#awaited.ahead = rest;
      return;
    }
    if (state.typedText !== '' && !this.#model.typed(state.typedText)) state.takeTypedText();
  }

  #enterText(text: string): void {
    const { state, session } = this.#model;
    const { activeColumn: column, activeRow: row, context } = state;
    const opens = column?.type?.opensTyped === true && !context.readOnly && row?.readOnly !== true;
    const refused = column && whyNotEditable(context, column, row);
    if (refused !== undefined && !opens) return tellLost(state, { reason: refused, text });
    session.typed(text);
    if (column !== undefined && !opens && !editsInPlace(column)) session.hold({ kind: 'text', text });
  }

  /** Writes the text typed for a row while the person is elsewhere; text meant for further rows is reported. */
  #enterUnseen({ column = 0, ahead }: AwaitedRow, key: string): void {
    const { context } = this.#model.state;
    const row = { key, values: {} };
    const place = context.source.indexOf(key) ?? this.#model.state.endRow;
    let at = column;
    const lost: string[] = [];
    let isBelow = false;
    for (const { text, command } of ahead) {
      const target = context.columns[at];
      if (text !== '') {
        if (isBelow || target === undefined) lost.push(text);
        else this.#model.writer.enter({ row, column: target, place: { row: place, column: at } }, text);
      }
      const move = command.kind === 'commit' ? command.move : 'stay';
      if (move === 'right') at += 1;
      else if (move === 'left') at -= 1;
      else if (move !== 'stay' || command.kind !== 'commit') isBelow = true;
    }
    this.#tellLost(lost);
  }

  /** No row was added: the typed text is reported, so that nothing is lost silently. */
  #giveUp(awaited: AwaitedRow): void {
    const { state } = this.#model;
    const texts = awaited.ahead.map(({ text }) => text);
    if (this.#awaited === awaited) {
      texts.push(state.takeTypedText());
      this.#stopWaiting();
      state.set({ adding: false });
    }
    this.#tellLost(texts.filter((text) => text !== ''));
  }

  #tellLost(texts: readonly string[]): void {
    const { state } = this.#model;
    if (texts.length === 0) return;
    if (this.#lost !== undefined) this.#lost.push(...texts);
    else state.notify({ text: state.context.t('No row was added for what you typed.'), details: texts });
  }
}
