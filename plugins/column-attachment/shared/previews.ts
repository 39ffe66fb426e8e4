import type { AttachedFile } from '@trellis/sdk/shared';

/** The sizes of small pictures: pixels of the longer side. */
export const previewSizes = { small: 160, cover: 720 } as const;

export type PreviewSize = keyof typeof previewSizes;

/** The bytes below which a picture needs no small one, and above which it is too large to decode. */
const smallest = 32 * 1024;
const largest = 24 * 1024 * 1024;

const read = /^image\/(?:jpeg|png|webp)$/;

export function isPreviewSize(size: unknown): size is PreviewSize {
  return typeof size === 'string' && Object.hasOwn(previewSizes, size);
}

/** Whether small pictures of a file are useful and allowed. */
export function mayHavePreview({
  mimetype = '',
  size = 0,
}: Pick<AttachedFile, 'mimetype' | 'size'>): boolean {
  return read.test(mimetype) && size > smallest && size <= largest;
}
