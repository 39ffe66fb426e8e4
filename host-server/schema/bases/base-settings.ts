import {
  describeProblems,
  keepMaskedSecrets,
  problemsByField,
  retargetedSecrets,
  validateSettings,
  type RegistryView,
} from '@trellis/core';
import type { BaseKind, BaseSettings, ExternalBaseInput } from '@trellis/sdk/server';
import { schemaErrors } from '../schema-errors.ts';

/** A connection as it is stored, sealed. */
export interface StoredConnection {
  /** The id of the base kind. */
  readonly type: string;
  readonly settings: BaseSettings;
  /** Whether a super admin chose where the database is. */
  readonly isSetBySuperAdmin: boolean;
  /** For files: see `SqliteTarget.givesJournalBack`. */
  readonly givesJournalBack?: boolean;
}

/** Kinds that clients of the v1 API know and this server cannot open. */
const withoutDriver: ReadonlySet<string> = new Set(['oracledb']);

/** @throws TrellisError 400 `DATABASE_NOT_SUPPORTED`, `DATABASE_DRIVER_MISSING`. */
export function kindFor(kinds: RegistryView<BaseKind>, type: string): BaseKind {
  const kind = kinds.get(type) ?? kinds.list().find(({ aliases }) => aliases?.includes(type) === true);
  if (kind !== undefined) return kind;
  throw withoutDriver.has(type)
    ? schemaErrors.create('DATABASE_DRIVER_MISSING', { type })
    : schemaErrors.create('DATABASE_NOT_SUPPORTED');
}

/** Reads the settings that a client sends, with defaults. @throws TrellisError 400 `DATABASE_SETTINGS` with the problems by field. */
export function readSettings(kind: BaseKind, { config, settings }: ExternalBaseInput): BaseSettings {
  return valid(kind, settings ?? kind.fromConfig(config ?? {}), {});
}

/**
 * Changed settings of a base. A masked secret keeps its stored value, unless it would be sent to another place. @throws as
 * `readSettings`.
 */
export function changedSettings(kind: BaseKind, incoming: BaseSettings, stored: BaseSettings): BaseSettings {
  return valid(kind, incoming, stored);
}

function valid({ settings: schema }: BaseKind, incoming: BaseSettings, stored: BaseSettings): BaseSettings {
  const outcome = validateSettings(schema, keepMaskedSecrets(schema, incoming, stored));
  const problems = [
    ...(outcome.kind === 'invalid' ? outcome.problems : []),
    ...retargetedSecrets(schema, incoming, stored),
  ];
  if (outcome.kind === 'valid' && problems.length === 0) return outcome.value;
  throw schemaErrors.create('DATABASE_SETTINGS', {
    description: describeProblems(problems).replaceAll('\n', '; '),
    problems: problemsByField(problems),
  });
}
