import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, getPriority } from 'node:os';
import { beforeAll, describe, expect, test } from '@jest/globals';
import decodeWebp, { init } from '@jsquash/webp/decode.js';
import { blackPicture, noisyPicture } from '../testing/pictures.ts';
import { photoHeld } from '../testing/photo.ts';
import { makePictures } from './picture-maker.ts';

const { resolve } = createRequire(import.meta.url);

/** Makes one small picture and reads it; undefined where it is refused. */
async function made(picture: Uint8Array, side: number) {
  const [small] = (await makePictures(picture, [side])) ?? [];
  if (small === undefined) return undefined;
  return decodeWebp(Uint8Array.from(small).buffer);
}

/** The processes that one has begun and that still run. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

describe('small pictures', () => {
  beforeAll(async () => {
    const binary = await readFile(resolve('@jsquash/webp/codec/dec/webp_dec.wasm'));
    // The types of the package leave out that a compiled module may be given.
    await (init as (module: object) => Promise<void>)(await WebAssembly.compile(binary));
  });

  test('are as large as was asked for, and never larger than the picture', async () => {
    const picture = noisyPicture(900, 600);
    const [small, cover] = (await makePictures(picture, [160, 720])) ?? [];
    if (small === undefined || cover === undefined) throw new Error('None was made');
    expect(await decodeWebp(Uint8Array.from(small).buffer)).toMatchObject({ width: 160, height: 107 });
    expect(await decodeWebp(Uint8Array.from(cover).buffer)).toMatchObject({ width: 720, height: 480 });
    // One that is WebP already is read too.
    expect(await made(cover, 160)).toMatchObject({ width: 160, height: 107 });
    expect(await made(cover, 2000)).toMatchObject({ width: 720, height: 480 });
    expect(await made(noisyPicture(2000, 3), 160)).toMatchObject({ width: 160, height: 1 });
  });

  test('stand as the camera was held', async () => {
    const corners = async (orientation: number) => {
      const small = await made(photoHeld(orientation), 32);
      if (small === undefined) throw new Error('None was made');
      const { data, width, height } = small;
      const at = (x: number, y: number) => {
        const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4);
        if (blue > 128) return 'blue';
        if (red > 128) return green > 128 ? 'yellow' : 'red';
        return green > 128 ? 'green' : 'black';
      };
      const [right, bottom] = [width - 3, height - 3];
      return { width, height, corners: [at(2, 2), at(right, 2), at(2, bottom), at(right, bottom)] };
    };
    const upright = { width: 32, height: 16, corners: ['red', 'green', 'blue', 'yellow'] };
    expect(await corners(1)).toEqual(upright);
    expect(await corners(3)).toEqual({ ...upright, corners: ['yellow', 'blue', 'green', 'red'] });
    expect(await corners(6)).toEqual({ width: 16, height: 32, corners: ['blue', 'red', 'yellow', 'green'] });
    expect(await corners(8)).toEqual({ width: 16, height: 32, corners: ['green', 'yellow', 'red', 'blue'] });
  });

  test('have the mean colour of what they show, and its opacity', async () => {
    const { data } = (await made(photoHeld(1), 1)) ?? {};
    const [red = 0, green = 0, blue = 0, opacity] = data ?? [];
    expect(opacity).toBe(255);
    for (const [part, mean] of [
      [red, 128],
      [green, 128],
      [blue, 64],
    ] as const)
      expect(Math.abs(part - mean)).toBeLessThan(20);
  });

  test('are not made of a picture that says it has too many pixels, whole as it is', async () => {
    expect(await made(blackPicture(1000, 2000), 160)).toMatchObject({ width: 80, height: 160 });
    expect(await made(blackPicture(7000, 7200), 160)).toBeUndefined();
  });

  test('are made while nobody else needs the processor', async () => {
    const making = made(blackPicture(5000, 5000), 160);
    let isDone = false;
    void making.finally(() => (isDone = true));
    const priorities = new Set<number>();
    while (!isDone) {
      for (const pid of await childrenOf(process.pid)) priorities.add(getPriority(pid));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await making).toBeDefined();
    expect([...priorities]).toContain(constants.priority.PRIORITY_LOW);
  });

  test('are made of no other kind of file', async () => {
    expect(await made(Buffer.from('GIF89a'), 160)).toBeUndefined();
    expect(await made(Buffer.from('<svg width="10" height="10"/>'), 160)).toBeUndefined();
    expect(await made(Buffer.alloc(0), 160)).toBeUndefined();
  });
});
