const side = 256;

/**
 * The middle of an image as a small square in base64. It is drawn anew, so that nothing travels that the file tells besides, such as
 * the place where a photo was taken. Undefined for a file that is no image.
 */
export async function smallPicture(file: Blob): Promise<string | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const from = Math.min(image.width, image.height);
  const [left, top] = [(image.width - from) / 2, (image.height - from) / 2];
  canvas.getContext('2d')?.drawImage(image, left, top, from, from, 0, 0, side, side);
  image.close();
  // A browser that writes no WebP writes PNG.
  const [, base64] = canvas.toDataURL('image/webp', 0.9).split(',');
  return base64;
}
