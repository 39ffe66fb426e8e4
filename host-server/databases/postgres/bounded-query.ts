import pg from 'pg';
import { DatabaseError } from '../../sql/database-error.ts';
import { MOST_BYTES } from '../../sql/row-bytes.ts';

type Callback = (error: Error | null, result: pg.QueryArrayResult) => void;

/** A row as it came over the wire. */
interface DataRow {
  readonly length: number;
}

/** What pg's query class does with rows; its types leave this out. */
interface RowHandler {
  _canceledDueToError: Error | false;
  handleDataRow(row: DataRow): void;
}

const Query = pg.Query as unknown as new (config: object, callback: Callback) => pg.Query & RowHandler;

/** A query that fails with kind `tooLarge` once its rows take more than `MOST_BYTES`; the rows behind are dropped as they come. */
export class BoundedQuery extends Query {
  #bytes = 0;

  override handleDataRow(row: DataRow): void {
    this.#bytes += row.length;
    if (this.#bytes > MOST_BYTES) this._canceledDueToError = new DatabaseError('tooLarge');
    else super.handleDataRow(row);
  }
}
