import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { RecordSchemaChange, SchemaChange } from './schema-changes.ts';

/** A change of the schema that only changes metadata, and no database of rows. */
export type ChangeMetadata = <Result>(
  projectId: string,
  /** `generation`: the generation of the project's schema with this change. */
  work: (unit: Unit, generation: number) => Promise<Result>,
  /** The entry for the audit. Small changes of views write none. */
  change?: SchemaChange,
) => Promise<Result>;

/** Runs changes of the metadata. Each has its own transaction and log entry, and a project has one at a time. */
export function createChangeMetadata(
  { database, generations }: Metadata,
  record: RecordSchemaChange,
): ChangeMetadata {
  return (projectId, work, change) =>
    database.write(
      async (unit) => {
        // The row of the generation makes changes of a project take turns, so what `work` reads stays true until the commit.
        const generation = await generations.bump(unit, projectId);
        const result = await work(unit, generation);
        if (change !== undefined) await record(unit, change);
        return result;
      },
      { retry: true },
    );
}
