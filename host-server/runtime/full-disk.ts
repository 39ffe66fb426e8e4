import { defineErrors } from '@trellis/core';

const diskErrors = defineErrors({
  STORAGE_FULL: {
    status: 507,
    message: 'The server has no storage left, so this was not done. Please tell an administrator.',
  },
});

/** Of a disk, and of what an account may have of one and of a file. */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a disk is full, by an error of the system. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && codes.has((error as NodeJS.ErrnoException).code);
}

/** What whoever wants something stored is told where the disk is full: 507 `STORAGE_FULL`. */
export function storageFull(cause: unknown): Error {
  return diskErrors.create('STORAGE_FULL', {}, cause);
}
