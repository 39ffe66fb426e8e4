import type { TaskProgress } from '@trellis/sdk/shared';
import type { ToldEntity } from './entities.ts';

/** The restore of a backup, in answers. */
export interface RestoreEntity {
  readonly id: string;
  /** `ready`: it was read, and nothing has begun. */
  readonly state: 'ready' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly about: {
    /** Of the project that was backed up. */
    readonly title: string;
    /** ISO 8601 in UTC. */
    readonly made_at: string;
    readonly tables: number;
    readonly rows: number;
    readonly files: number;
  };
  /** The project that is being created. */
  readonly project_id: string | null;
  readonly progress: TaskProgress | null;
  /** Why it failed. */
  readonly message: ToldEntity | null;
  /** What the project lacks of the backup. */
  readonly notes: readonly ToldEntity[];
}
