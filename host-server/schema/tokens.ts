import { createToken, type Token } from '@trellis/core';
import { SchemaStoreToken } from '@trellis/sdk/server';
import type { BaseDatabases } from './bases/base-databases.ts';
import type { AnnounceSchemaChange, RecordSchemaChange } from './schema-changes.ts';
import type { HostSchemaStore } from './schema-store.ts';

export const BaseDatabasesToken = createToken<BaseDatabases>('host.base-databases');
export const RecordSchemaChangeToken = createToken<RecordSchemaChange>('host.record-schema-change');
export const AnnounceSchemaChangeToken = createToken<AnnounceSchemaChange>('host.announce-schema-change');
/** The schema store, with what only the host calls. */
export const HostSchemaStoreToken = SchemaStoreToken as Token<HostSchemaStore>;
