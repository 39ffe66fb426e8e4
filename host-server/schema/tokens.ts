import { createToken, type Token } from '@trellis/core';
import { SchemaStoreToken } from '@trellis/sdk/server';
import type { BaseDatabases } from './bases/base-databases.ts';
import type { ToPluginUnit } from './columns/moved-in-holders.ts';
import type { AnnounceSchemaChange, FindWrittenRows, RecordSchemaChange } from './schema-changes.ts';
import type { ForgetDropped } from './jobs/purge.ts';
import type { HostSchemaStore } from './schema-store.ts';

export const BaseDatabasesToken = createToken<BaseDatabases>('host.base-databases');
// Schema changes need these parts of the change log, which is a higher layer: `../changes/bind.ts` binds them.
export const RecordSchemaChangeToken = createToken<RecordSchemaChange>('host.record-schema-change');
/** Finds the rows written since a mark; the change log implements it. */
export const WrittenRowsToken = createToken<FindWrittenRows>('host.written-rows');
export const AnnounceSchemaChangeToken = createToken<AnnounceSchemaChange>('host.announce-schema-change');
/** Removes the values of dropped tables and columns from the log. */
export const ForgetDroppedToken = createToken<ForgetDropped>('host.forget-dropped');
/** A transaction as a plugin sees it; the plugin host implements it. */
export const PluginUnitToken = createToken<ToPluginUnit>('host.plugin-unit');
/** The schema store, with methods that only the host calls. */
export const HostSchemaStoreToken = SchemaStoreToken as Token<HostSchemaStore>;
