import type { TableSchema } from '@trellis/sdk/server';
import { checkColumnTitle, freeTitle, type NamingProject } from '../names.ts';

/** Titles of a table's columns, including those that this plan adds. */
export class Titles {
  readonly #taken = new Map<string, Set<string>>();
  readonly #project: NamingProject;

  constructor(project: NamingProject) {
    this.#project = project;
  }

  #of(table: TableSchema): Set<string> {
    const known = this.#taken.get(table.id) ?? new Set(table.columns.map(({ title }) => title.toLowerCase()));
    this.#taken.set(table.id, known);
    return known;
  }

  /** @throws TrellisError 400 for a title that is taken or not allowed */
  take(table: TableSchema, title: string): string {
    const taken = this.#of(table);
    checkColumnTitle(title, taken, this.#project);
    taken.add(title.toLowerCase());
    return title;
  }

  /** The title, with a number added if it is taken. */
  takeFree(table: TableSchema, title: string): string {
    const taken = this.#of(table);
    const free = freeTitle(title, taken);
    taken.add(free.toLowerCase());
    return free;
  }
}
