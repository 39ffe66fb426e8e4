import type { AttachedFile } from './attachments.ts';

/** Small pictures of a picture: pixels of their longer side. */
export const previewSizes = { small: 160, cover: 720 } as const;

export type PreviewSize = keyof typeof previewSizes;

/** Bytes of a picture that is small enough as it is, and of one that is too large to be read for a small one. */
const smallest = 32 * 1024;
const largest = 24 * 1024 * 1024;

const read = /^image\/(?:jpeg|png|webp)$/;

export function isPreviewSize(size: unknown): size is PreviewSize {
  return typeof size === 'string' && Object.hasOwn(previewSizes, size);
}

/** Whether small pictures of a file are worth making, and may be made. */
export function mayHavePreview({
  mimetype = '',
  size = 0,
}: Pick<AttachedFile, 'mimetype' | 'size'>): boolean {
  return read.test(mimetype) && size > smallest && size <= largest;
}
