/** How a picture is made small. @beta */
export interface PictureSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** `cover` fills all of it with the middle of the image; `inside` keeps all of the image, and never makes it larger. */
  readonly fit: 'cover' | 'inside';
  /** Bytes: a picture that has more is written as JPEG, without what is transparent. */
  readonly most?: number;
}

/**
 * An image as a small one in base64: WebP, or PNG from a browser that writes no WebP. It is drawn anew, so that nothing travels that the
 * file tells besides, such as the place where a photo was taken, and of a drawing (SVG) only how it looks. Undefined for a file that is no
 * image.
 * @beta
 */
export async function smallPicture(
  file: Blob,
  { width, height, fit, most = Infinity }: PictureSize,
): Promise<string | undefined> {
  const image = (await createImageBitmap(file).catch(() => undefined)) ?? (await drawingIn(file));
  if (image === undefined || image.width === 0 || image.height === 0) return undefined;
  const scale =
    fit === 'cover'
      ? Math.max(width / image.width, height / image.height)
      : Math.min(1, width / image.width, height / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = fit === 'cover' ? width : Math.max(1, Math.round(image.width * scale));
  canvas.height = fit === 'cover' ? height : Math.max(1, Math.round(image.height * scale));
  const [across, down] = [canvas.width / scale, canvas.height / scale];
  const [left, top] = [(image.width - across) / 2, (image.height - down) / 2];
  canvas.getContext('2d')?.drawImage(image, left, top, across, down, 0, 0, canvas.width, canvas.height);
  if ('close' in image) image.close();
  const written = (type: string) => canvas.toDataURL(type, 0.9).split(',')[1];
  const base64 = written('image/webp');
  return base64 === undefined || (base64.length * 3) / 4 <= most ? base64 : written('image/jpeg');
}

/** A drawing, which browsers read as the source of an image alone. */
async function drawingIn(file: Blob): Promise<HTMLImageElement | undefined> {
  if (file.type !== 'image/svg+xml') return undefined;
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined; // No drawing, whatever the file is called.
  } finally {
    URL.revokeObjectURL(address);
  }
}
