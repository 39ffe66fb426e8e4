import { createToken, type Token } from '@trellis/core';
import { SchemaStoreToken } from '@trellis/sdk/server';
import type { BaseDatabases } from './bases/base-databases.ts';
import type { ToPluginUnit } from './columns/moved-in-holders.ts';
import type { AnnounceSchemaChange, FindWrittenRows, RecordSchemaChange } from './schema-changes.ts';
import type { ForgetDropped } from './jobs/purge.ts';
import type { HostSchemaStore } from './schema-store.ts';

export const BaseDatabasesToken = createToken<BaseDatabases>('host.base-databases');
// What schema changes need of the log of changes, which lies above: `../changes/bind.ts` binds these.
export const RecordSchemaChangeToken = createToken<RecordSchemaChange>('host.record-schema-change');
/** Which rows were written since a moment; who keeps the log of changes answers. */
export const WrittenRowsToken = createToken<FindWrittenRows>('host.written-rows');
export const AnnounceSchemaChangeToken = createToken<AnnounceSchemaChange>('host.announce-schema-change');
/** Takes the values of dropped tables and columns out of the log. */
export const ForgetDroppedToken = createToken<ForgetDropped>('host.forget-dropped');
/** A transaction as a plugin sees it; who runs the plugins answers. */
export const PluginUnitToken = createToken<ToPluginUnit>('host.plugin-unit');
/** The schema store, with what only the host calls. */
export const HostSchemaStoreToken = SchemaStoreToken as Token<HostSchemaStore>;
