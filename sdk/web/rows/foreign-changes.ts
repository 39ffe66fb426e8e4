import type { LiveEvent, RowKey } from '../../shared/index.ts';
import { RefreshPace } from './refresh-pace.ts';
import type { RowCodec, RowValues } from './row-codec.ts';
import type { RowsPlace } from './rows-place.ts';

export interface ForeignChangesOptions {
  readonly place: () => RowsPlace;
  readonly codec: () => RowCodec;
  /** Whether rows are grouped. */
  readonly isGrouped: () => boolean;
  /** Whether rows are limited by rules of the page, which only the server can evaluate. */
  readonly hasRules: () => boolean;
  /** Whether this page sent a request, so that its effect is already visible. */
  readonly isOwn: (requestId: string) => boolean;
  /** Whether it is a request of this page that was answered before a later one, which may have restored rows. */
  readonly isOverdue: (requestId: string) => boolean;
  readonly onUpdated: (rows: ReadonlyMap<RowKey, RowValues>) => void;
  readonly onInserted: (key: RowKey) => void;
  readonly onDeleted: (keys: readonly RowKey[]) => void;
  /** Rows of this table were written, by anybody. */
  readonly onWritten: () => void;
  /** The visible rows must be reloaded. */
  readonly onStale: () => void;
}

/** Handles live events about the rows of a place: complete rows are shown at once, and what they may affect is reloaded soon. */
export class ForeignChanges {
  readonly #options: ForeignChangesOptions;
  readonly #pace = new RefreshPace(() => this.#settle());
  readonly #requests = new Set<string>();
  /** Whether a row written here may belong to another group now. */
  #mustRegroup = false;

  constructor(options: ForeignChangesOptions) {
    this.#options = options;
  }

  receive(event: LiveEvent | { readonly kind: 'resync' }): void {
    const place = this.#options.place();
    switch (event.kind) {
      case 'resync':
        return this.#readSoon(event.kind);
      case 'rowsReset':
        return this.#readSoon(event.requestId);
      case 'view':
        if (place.kind === 'table' || event.viewId !== place.view.id) return;
        return this.#readSoon(event.requestId);
      case 'rows':
        return this.#receiveRows(event);
    }
  }

  /** Handles events of linked tables: cells here may be computed from their rows. */
  receiveOfOther(event: LiveEvent | { readonly kind: 'resync' }): void {
    if (event.kind === 'rows' || event.kind === 'rowsReset') this.#readSoon(event.requestId);
    else if (event.kind === 'resync') this.#readSoon(event.kind);
  }

  /** Called when cells of grouped rows were written here. */
  regroup(): void {
    this.#mustRegroup = true;
    this.#pace.soon();
  }

  stop(): void {
    this.#pace.stop();
  }

  #receiveRows({ changes, requestId }: LiveEvent & { readonly kind: 'rows' }): void {
    const { isGrouped, hasRules, onUpdated, onInserted, onDeleted, onWritten } = this.#options;
    const codec = this.#options.codec();
    const updates = new Map<RowKey, RowValues>();
    const deleted = new Set<RowKey>();
    for (const { op, key, row, moved } of changes) {
      if (op === 'update' && row !== undefined) updates.set(key, codec.valuesOf(row));
      if (op === 'insert') onInserted(key);
      if (op === 'delete') deleted.add(key);
      else deleted.delete(key);
      const isWhole = op === 'update' && row !== undefined && moved !== true && !codec.hasVirtual;
      if (!isWhole || isGrouped() || hasRules()) this.#requests.add(requestId);
    }
    if (deleted.size > 0 && !this.#options.isOverdue(requestId)) onDeleted([...deleted]);
    onUpdated(updates);
    onWritten();
    if (this.#requests.size > 0) this.#pace.soon();
  }

  #readSoon(requestId: string): void {
    this.#requests.add(requestId);
    this.#pace.soon();
  }

  /** Nothing is stale if all events came from this page's own writes, whose results are already loaded. */
  #settle(): void {
    const isOwn = [...this.#requests].every((id) => this.#options.isOwn(id));
    this.#requests.clear();
    if (!isOwn || this.#mustRegroup) this.#options.onStale();
    this.#mustRegroup = false;
  }
}
