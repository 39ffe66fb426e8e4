/** How a picture is reduced. @beta */
export interface PictureSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** `cover` fills it with the middle of the image; `inside` shows the whole image, never enlarged. */
  readonly fit: 'cover' | 'inside';
  /** Bytes: a larger picture is written as JPEG, without transparency. */
  readonly most?: number;
}

/**
 * A reduced image in base64: WebP, or PNG in a browser that cannot write WebP. It is drawn again, so that metadata of the file,
 * such as the place of a photo, is not sent, and of an SVG only its look. Undefined for a file that is no image.
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

/** An SVG, which browsers only load as the source of an image. */
async function drawingIn(file: Blob): Promise<HTMLImageElement | undefined> {
  if (file.type !== 'image/svg+xml') return undefined;
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined; // No SVG, whatever the file's name.
  } finally {
    URL.revokeObjectURL(address);
  }
}
