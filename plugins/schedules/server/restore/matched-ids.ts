import type { ProjectSnapshot, TableSchema } from '@trellis/sdk/server';
import type { Archive, ArchivedLink, ArchivedTable, Meta } from '../backup/archive.ts';
import type { PlannedLink } from './planned-links.ts';

/** The parts of an archive that the restored project has so far, found by titles, even if an interrupted run created them. */
export class MatchedIds {
  readonly #ids = new Map<string, string>();
  readonly #known: ReadonlySet<string>;

  constructor({ tables }: Archive) {
    this.#known = new Set(
      tables.flatMap((table) => [
        table.id,
        ...[...table.columns, ...table.views, ...table.links].map(({ id }) => id),
      ]),
    );
  }

  get(id: string): string | undefined {
    return this.#ids.get(id);
  }

  /** Matches the columns of a table by title. */
  table(archived: ArchivedTable, table: TableSchema): void {
    this.#ids.set(archived.id, table.id);
    for (const { id, title } of archived.columns) {
      const column = table.columnByTitle.get(title);
      if (column !== undefined) this.#ids.set(id, column.id);
    }
    for (const { id, title, isDefault } of archived.views) {
      const view = isDefault ? table.defaultView : table.views.find((of) => of.title === title);
      if (view !== undefined) this.#ids.set(id, view.id);
    }
  }

  /** Matches what was created with a link: its keys, and the junction table. */
  link(archived: ArchivedLink, snapshot: ProjectSnapshot, columnTitle: string): boolean {
    const table = snapshot.tables.get(this.get(archived.tableId) ?? '');
    const linkId = table?.columnByTitle.get(columnTitle)?.linkId;
    const link = linkId === undefined ? undefined : snapshot.links.get(linkId);
    if (link?.kind !== archived.kind) return false;
    this.#ids.set(archived.id, link.id).set(archived.inverseId, link.inverseId);
    if (archived.kind !== 'manyToMany') {
      const [own, now] =
        archived.kind === 'belongsTo'
          ? [archived.columnIds, link.columnIds]
          : [archived.toColumnIds, link.toColumnIds];
      this.#all(own, now);
    }
    if (archived.through && link.through) {
      this.#ids.set(archived.through.tableId, link.through.tableId);
      this.#all(archived.through.columnIds, link.through.columnIds);
      this.#all(archived.through.toColumnIds, link.through.toColumnIds);
    }
    return true;
  }

  /** Matches a link to a junction table that was created with another link, and the column that shows it. */
  between({ link, column }: Pick<PlannedLink, 'link' | 'column'>, snapshot: ProjectSnapshot): void {
    const table = snapshot.tables.get(this.get(link.tableId) ?? '');
    const keys = (link.kind === 'belongsTo' ? link.columnIds : link.toColumnIds).map((id) => this.get(id));
    const made = table?.links.find(
      (of) =>
        of.kind === link.kind &&
        of.toTableId === this.get(link.toTableId) &&
        String(of.kind === 'belongsTo' ? of.columnIds : of.toColumnIds) === String(keys),
    );
    const shown = table?.columns.find(({ linkId }) => linkId !== undefined && linkId === made?.id);
    if (made === undefined || shown === undefined) return;
    this.#ids.set(link.id, made.id).set(column.id, shown.id);
  }

  #all(archived: readonly string[], now: readonly string[]): void {
    for (const [place, id] of archived.entries()) {
      const made = now[place];
      if (made !== undefined) this.#ids.set(id, made);
    }
  }

  /** Options with the current ids of what they name, including ids within texts: formulas name columns that way. */
  inOptions(meta: Meta | undefined): Meta | undefined {
    return meta && (this.value(meta) as Meta);
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(anyId, (id) => this.#ids.get(id) ?? id);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.#ids.get(key) ?? key, this.value(item)]),
    );
  }

  /** Whether options name something of the archive that does not exist yet. */
  isWaiting(meta: Meta | undefined): boolean {
    const text = JSON.stringify(meta ?? {});
    return [...text.matchAll(anyId)].some(([id]) => this.#known.has(id) && !this.#ids.has(id));
  }
}

/** Ids are letters and digits, of which the first two name the kind. */
const anyId = /[A-Za-z0-9_]{10,60}/g;
