import type { SettingsSchema } from '@trellis/sdk/shared';
import { useServerData, type Refusal } from '@trellis/sdk/web';

/** A kind of database that projects can use, with its connection's form. */
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

/** How table and column names are changed: `FilmActor`, or unchanged `film_actor`. */
export type NameStyle = 'camelize' | 'none';

/** A database that is not connected yet. */
export interface NewDatabaseInput extends DatabaseInput {
  readonly inflection_table: NameStyle;
  readonly inflection_column: NameStyle;
}

/** A database's connection without its secrets. */
export interface Connection extends DatabaseInput {
  readonly id: string;
  readonly alias: string | null;
}

/** The answer of a connection test. */
export interface TestAnswer {
  readonly code: 0 | -1;
  readonly message: string;
  readonly error?: Omit<Refusal, 'msg'>;
}

export const testPath = '/api/v1/db/meta/connection/test';

/** The kinds of databases that the server supports; plugins add some. */
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

/** The initial values of a kind's form: fields that depend on others check these values. */
export function defaultsOf({ settings }: DatabaseKind): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings.properties ?? {}).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Whether databases of this kind are files of the server's folder, which have a form that lists them. */
export function isFileKind({ settings }: DatabaseKind): boolean {
  return settings.properties?.file !== undefined;
}

/** The settings without the file. */
export function withoutFile(settings: SettingsSchema): SettingsSchema {
  const properties = Object.fromEntries(
    Object.entries(settings.properties ?? {}).filter(([name]) => name !== 'file'),
  );
  return { ...settings, properties, required: (settings.required ?? []).filter((name) => name !== 'file') };
}
