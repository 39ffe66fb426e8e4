import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { RecordSchemaChange, SchemaChange } from './schema-changes.ts';

/** A change of the schema that only the metadata see: no database of rows is changed by it. */
export type ChangeMetadata = <Result>(
  projectId: string,
  /** `generation`: the number that the schema of the project has with this change. */
  work: (unit: Unit, generation: number) => Promise<Result>,
  /** What the audit keeps of it; small changes of views leave no trace there. */
  change?: SchemaChange,
) => Promise<Result>;

/** Runs changes of the metadata: each in a transaction of its own with its log entry, one of a project at a time. */
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
