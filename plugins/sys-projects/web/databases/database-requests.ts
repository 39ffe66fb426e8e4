import type { SettingsSchema } from '@trellis/sdk/shared';
import { useServerData, type Refusal } from '@trellis/sdk/web';

/** A kind of database that projects can be opened on, with the form of its connection. */
export interface DatabaseKind {
  readonly id: string;
  readonly label: string;
  readonly settings: SettingsSchema;
}

/** A database as its form describes it. */
export interface DatabaseInput {
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What becomes of the names of tables and columns: `FilmActor`, or `film_actor` as it is. */
export type NameStyle = 'camelize' | 'none';

/** A database that nothing is known of yet. */
export interface NewDatabaseInput extends DatabaseInput {
  readonly inflection_table: NameStyle;
  readonly inflection_column: NameStyle;
}

/** The connection of a database, without its secrets. */
export interface Connection extends DatabaseInput {
  readonly id: string;
  readonly alias: string | null;
}

/** What the test of a connection answers. */
export interface TestAnswer {
  readonly code: 0 | -1;
  readonly message: string;
  readonly error?: Omit<Refusal, 'msg'>;
}

export const testPath = '/api/v1/db/meta/connection/test';

/** The kinds of databases that the server opens; plugins bring some. */
export function useDatabaseKinds() {
  return useServerData<{ readonly list: readonly DatabaseKind[] }>(
    { path: '/api/v1/db/meta/base-kinds' },
    { tags: ['plugins'] },
  );
}

export function basesPath(projectId: string): string {
  return `/api/v1/db/meta/projects/${encodeURIComponent(projectId)}/bases`;
}

export function basePath(projectId: string, baseId: string): string {
  return `${basesPath(projectId)}/${encodeURIComponent(baseId)}`;
}

/** What a form of this kind begins with: fields that depend on others look at their values. */
export function defaultsOf({ settings }: DatabaseKind): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings.properties ?? {}).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Whether files of the server's folder are of this kind; they have a form of their own, which lists them. */
export function isFileKind({ settings }: DatabaseKind): boolean {
  return settings.properties?.file !== undefined;
}

/** The settings beside the file. */
export function withoutFile(settings: SettingsSchema): SettingsSchema {
  const properties = Object.fromEntries(
    Object.entries(settings.properties ?? {}).filter(([name]) => name !== 'file'),
  );
  return { ...settings, properties, required: (settings.required ?? []).filter((name) => name !== 'file') };
}
