import { defineErrors } from '@trellis/core';

const diskErrors = defineErrors({
  STORAGE_FULL: {
    status: 507,
    message: 'The server has no storage left, so this was not done. Please tell an administrator.',
  },
});

/** The errors of a full disk, of an account's quota and of a file's size limit. */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether an error of the system means that a disk is full. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && codes.has((error as NodeJS.ErrnoException).code);
}

/** The error for a request to store something on a full disk: 507 `STORAGE_FULL`. */
export function storageFull(cause: unknown): Error {
  return diskErrors.create('STORAGE_FULL', {}, cause);
}
