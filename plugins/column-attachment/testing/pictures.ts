import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of this size that cannot be compressed well; `rows`: the number of its rows that contain noise. */
export function noisyPicture(width: number, height: number, rows = height): Buffer {
  const stride = width * 3 + 1;
  const pixels = Buffer.alloc(stride * rows);
  for (let row = 0; row < rows; row += 1)
    for (let at = 1; at < stride; at += 32)
      createHash('sha256')
        .update(`${row} ${at}`)
        .digest()
        .copy(pixels, row * stride + at, 0, Math.min(32, stride - at));
  // Eight bits for each of three colours.
  return png(width, height, [8, 2], pixels);
}

/** A black PNG of this size in few bytes: one bit per pixel. */
export function blackPicture(width: number, height: number): Buffer {
  return png(width, height, [1, 0], Buffer.alloc((Math.ceil(width / 8) + 1) * height));
}

function png(width: number, height: number, kind: readonly [bits: number, colours: number], pixels: Buffer) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(kind, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
