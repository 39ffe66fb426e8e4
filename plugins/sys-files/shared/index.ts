import type { TaskEntity } from '@trellis/sdk/shared';

/** A storage with what it keeps. */
export interface StorageEntity {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  /** The plugin that brings it; `host` for the folder of this server. */
  readonly plugin_id: string;
  /** Whether it is set up. */
  readonly is_ready: boolean;
  /** Whether new files go there. */
  readonly is_default: boolean;
  readonly files: number;
  /** As far as sizes are known. */
  readonly bytes: number;
}

/** The kind of the live event that tells that files are kept elsewhere, or move. */
export const storageObjectKind = 'storage';

/** The answer of `GET /api/v1/storage`. */
export interface StorageAnswer {
  readonly list: readonly StorageEntity[];
  /** The move that is under way, or ended last. */
  readonly move: TaskEntity | null;
}

/** What a move was asked to do. */
export interface MoveInput {
  readonly from: string;
  readonly to: string;
}

/** What a move has done. */
export interface MoveResult {
  readonly files: number;
  readonly bytes: number;
  /** Files of which the bytes were not there, or not as many as they should be: they stay where they are. */
  readonly left: number;
}

export const moveKind = 'sys-files.move';
