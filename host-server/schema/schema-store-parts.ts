import type { HookRegistry, Registry, RegistryView } from '@trellis/core';
import type {
  AccessScope,
  BaseKind,
  FunctionDefinition,
  Logger,
  ProjectSnapshot,
  Secrets,
  ServerHooks,
  TableSchema,
  ViewType,
} from '@trellis/sdk/server';
import type { ViewAddition } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import type { BaseDatabases } from './bases/base-databases.ts';
import type { HostDatabaseFiles } from './bases/database-files.ts';
import type { ChangeMetadata } from './change-metadata.ts';
import type { ConvertValue } from './columns/convert-value.ts';
import type { PlaceInViews, PlaceInViewsDependencies } from './columns/place-in-views.ts';
import type { MovedValues, MovedValuesDependencies } from './columns/moved-values.ts';
import type { RequiredTypeDependencies, RequireType } from './columns/required-type.ts';
import type { SchemaJobKinds } from './jobs/job-kinds.ts';
import type { ForgetDropped } from './jobs/purge.ts';
import type { SchemaJobs } from './jobs/schema-jobs.ts';
import type { AnnounceSchemaChange, FindWrittenRows, RecordSchemaChange } from './schema-changes.ts';

export interface SchemaStoreDependencies extends MovedValuesDependencies, PlaceInViewsDependencies {
  readonly metadata: Metadata;
  readonly databases: BaseDatabases;
  readonly baseKinds: RegistryView<BaseKind>;
  readonly viewTypes: Registry<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
  /** What computed columns may call. */
  readonly functions: RegistryView<FunctionDefinition>;
  readonly hooks: HookCaller;
  readonly logger: Logger;
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
  /** Tells everybody how a task is now. */
  readonly announceTask: (id: string) => Promise<void>;
  /** The folder whose SQLite files may be opened; undefined forbids it. */
  readonly sqliteFolder: string | undefined;
  /** Bytes of a database file that somebody sends, at most; 0 forbids it. */
  readonly uploadLimit: number;
  readonly secrets: Secrets;
  readonly writtenRows: FindWrittenRows;
  readonly forget: ForgetDropped;
  /** All plugins, those that are off too. */
  readonly plugins: RequiredTypeDependencies['plugins'];
  /** For fault tests: called at named points of schema jobs. */
  readonly reach?: (point: string) => Promise<void>;
}

/** The hooks that this store calls. */
export type HookCaller = Pick<HookRegistry<ServerHooks>, 'call'>;

/** What the parts of the store share. */
export interface SchemaStoreParts extends SchemaStoreDependencies {
  readonly files: HostDatabaseFiles;
  readonly jobs: SchemaJobs;
  readonly kinds: SchemaJobKinds;
  readonly convert: ConvertValue;
  readonly requireType: RequireType;
  readonly moved: MovedValues;
  readonly changeMetadata: ChangeMetadata;
  readonly placeInViews: PlaceInViews;
  /** All of the project, whatever the scope may see. */
  snapshotOf(scope: AccessScope): ProjectSnapshot | Promise<ProjectSnapshot>;
  /** The table as the caller may know it: what a change answers with. */
  shownTable(scope: AccessScope, tableId: string): Promise<TableSchema>;
}
