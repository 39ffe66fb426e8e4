import { OpenRequests, type OpenedCell } from '@trellis/sdk/web';
import { TypedAhead } from './typed-ahead.ts';

/** Requests to change the links of a cell. */
export class LinkRequests extends OpenRequests<OpenedCell> {
  #typed: TypedAhead | undefined;

  /** What was typed to open the cell, and what is typed until its dialog is mounted. */
  get typed(): TypedAhead | undefined {
    return this.#typed;
  }

  protected override show(cell: OpenedCell | undefined): void {
    this.#typed?.end();
    this.#typed = cell?.typedText === undefined ? undefined : new TypedAhead(cell.typedText);
    super.show(cell);
  }
}
