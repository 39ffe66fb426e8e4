import type { TaskEntity } from '@trellis/sdk/shared';

/** A storage with its contents. */
export interface StorageEntity {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  /** The plugin that provides it; `host` for the folder of this server. */
  readonly plugin_id: string;
  /** Whether it is set up. */
  readonly is_ready: boolean;
  /** Whether new files are stored there. */
  readonly is_default: boolean;
  readonly files: number;
  /** As far as sizes are known. */
  readonly bytes: number;
}

/** The kind of the live event for a change of the storages or a move. */
export const storageObjectKind = 'storage';

/** The answer of `GET /api/v1/storage`. */
export interface StorageAnswer {
  readonly list: readonly StorageEntity[];
  /** The running or the last move. */
  readonly move: TaskEntity | null;
}

/** The parameters of a move. */
export interface MoveInput {
  readonly from: string;
  readonly to: string;
}

/** The result of a move. */
export interface MoveResult {
  readonly files: number;
  readonly bytes: number;
  /** Files whose bytes were missing, or not as many as expected: they stay in their storage. */
  readonly left: number;
}

export const moveKind = 'sys-files.move';
