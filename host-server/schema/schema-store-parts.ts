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
  /** The functions that computed columns may call. */
  readonly functions: RegistryView<FunctionDefinition>;
  readonly hooks: HookCaller;
  readonly logger: Logger;
  readonly record: RecordSchemaChange;
  readonly announce: AnnounceSchemaChange;
  /** Announces the state of a task. */
  readonly announceTask: (id: string) => Promise<void>;
  /** The folder whose SQLite files may be opened; undefined forbids opening files. */
  readonly sqliteFolder: string | undefined;
  /** The most bytes of an uploaded database file; 0 forbids uploads. */
  readonly uploadLimit: number;
  readonly secrets: Secrets;
  readonly writtenRows: FindWrittenRows;
  readonly forget: ForgetDropped;
  /** All plugins, including those that are off. */
  readonly plugins: RequiredTypeDependencies['plugins'];
  /** For fault tests: called at named points of schema jobs. */
  readonly reach?: (point: string) => Promise<void>;
}

/** The hooks that this store calls. */
export type HookCaller = Pick<HookRegistry<ServerHooks>, 'call'>;

/** The parts that the methods of the store share. */
export interface SchemaStoreParts extends SchemaStoreDependencies {
  readonly files: HostDatabaseFiles;
  readonly jobs: SchemaJobs;
  readonly kinds: SchemaJobKinds;
  readonly convert: ConvertValue;
  readonly requireType: RequireType;
  readonly moved: MovedValues;
  readonly changeMetadata: ChangeMetadata;
  readonly placeInViews: PlaceInViews;
  /** The whole project, including parts that the scope may not see. */
  snapshotOf(scope: AccessScope): ProjectSnapshot | Promise<ProjectSnapshot>;
  /** The table as the caller may see it, as the answer to a change. */
  shownTable(scope: AccessScope, tableId: string): Promise<TableSchema>;
}
