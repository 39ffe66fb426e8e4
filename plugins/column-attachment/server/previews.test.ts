import type { AttachedFile } from '@trellis/sdk/shared';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { noisyPicture } from '../testing/pictures.ts';
import type { FileRecord } from './file-store.ts';
import { LibraryBroken, type MakePictures } from './picture-maker.ts';
import type { KeptPreview } from './preview-store.ts';
import { Previews } from './previews.ts';

const picture = noisyPicture(900, 600);

describe('a small picture of an uploaded one', () => {
  let server: TestServer;
  let owner: TestClient;
  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
    await owner.post('/api/v1/db/meta/projects', { title: 'Shop' });
  });
  afterAll(() => server.dispose());

  async function upload(content: Uint8Array | string, name: string): Promise<AttachedFile> {
    const form = new FormData();
    form.append('files', new Blob([content as BlobPart]), name);
    const answer = await fetch(`${server.url}/api/v1/db/storage/upload?path=noco/Shop`, {
      method: 'POST',
      headers: { 'xc-auth': owner.token ?? '' },
      body: form,
    });
    const [file] = (await answer.json()) as readonly AttachedFile[];
    if (file === undefined) throw new Error('Nothing was kept');
    return file;
  }
  const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(server.url + url, { headers, redirect: 'manual' });
  const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  test('is read under its address and kept by browsers', async () => {
    const { url } = await upload(picture, 'Sea.png');
    const small = await read(`${url}?preview=small`);
    const cover = await read(`${url}?preview=cover`);
    for (const answer of [small, cover])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=31536000, immutable',
        'content-security-policy': expect.stringContaining('sandbox') as unknown,
      });
    const [smallest, middle] = [await bytes(small), await bytes(cover)];
    expect(smallest.toString('latin1', 8, 12)).toBe('WEBP');
    expect(smallest.length).toBeLessThan(middle.length);
    expect(middle.length).toBeLessThan(picture.length);
    expect(await bytes(await read(`${url}?preview=small`))).toEqual(smallest);
    const etag = small.headers.get('etag') ?? '';
    expect((await read(`${url}?preview=small`, { 'if-none-match': etag })).status).toBe(304);
    expect(await bytes(await read(`${url}?preview=enormous`))).toEqual(picture);
    expect(await bytes(await read(url))).toEqual(picture);
  });

  test('is not made of what is small, no picture, no whole picture, or larger when it is unpacked than it may be', async () => {
    const files = [
      await upload(noisyPicture(20, 20), 'Dot.png'),
      await upload('a,b\n'.repeat(20_000), 'List.csv'),
      await upload(picture.subarray(0, picture.length / 2), 'Half.png'),
      await upload(noisyPicture(40_000, 40_000, 1), 'Bomb.png'),
    ];
    for (const { url } of files) {
      expect((await read(`${url}?preview=cover`)).status).toBe(302);
      // Nobody tries it again.
      expect((await read(`${url}?preview=small`)).status).toBe(302);
    }
    expect((await read(`${files[0]?.url.slice(0, -6)}aa.png?preview=small`)).status).toBe(404);
  });
});

describe('small pictures', () => {
  const file = (id: string): FileRecord => ({
    id,
    ref: `local:${id}`,
    name: 'a.png',
    type: 'image/png',
    folder: '',
    size: 100_000,
    projectId: 'p_1',
    uploaderId: 'us_1',
  });

  function start(make: MakePictures, mayKeep: () => boolean = () => true) {
    const kept = new Map<string, readonly KeptPreview[]>();
    const stored = new Set<string>();
    let count = 0;
    const previews = new Previews({
      files: {
        read: async () => Readable.from([Buffer.from('picture')]),
        put: async (_content, { name, type }) => {
          count += 1;
          const ref = `local:${count}`;
          stored.add(ref);
          return { ref, name, type, size: 7 };
        },
        remove: async (ref) => void stored.delete(ref),
      },
      store: {
        find: async (id, size) => kept.get(id)?.find((one) => one.size === size),
        add: async (id, all) => {
          if (mayKeep()) kept.set(id, all);
          return mayKeep();
        },
      },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      make,
    });
    return { previews, stored, kept };
  }
  const made: MakePictures = async (_picture, sides) => sides.map((side) => Buffer.alloc(side));

  test('are made once, whoever asks for them at the same moment', async () => {
    let calls = 0;
    const { previews, stored } = start((...given) => {
      calls += 1;
      return made(...given);
    });
    const asked = (['small', 'cover', 'small'] as const).map((size) => previews.of(file('a'), size));
    expect((await Promise.all(asked)).map((one) => one?.size)).toEqual(['small', 'cover', 'small']);
    expect(await previews.of(file('a'), 'cover')).toBeDefined();
    expect([calls, stored.size]).toEqual([1, 2]);
  });

  test('are made of one picture after the other, since one may take all the memory that there is for them', async () => {
    let [running, most] = [0, 0];
    const { previews } = start(async (...given) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return made(...given);
    });
    const all = await Promise.all(['a', 'b', 'c'].map((id) => previews.of(file(id), 'small')));
    expect(all.every((one) => one !== undefined)).toBe(true);
    expect(most).toBe(1);
  });

  test('of a file that goes meanwhile leave nothing behind', async () => {
    const { previews, stored } = start(made, () => false);
    expect(await previews.of(file('a'), 'small')).toBeUndefined();
    expect(stored.size).toBe(0);
  });

  test('are asked of nothing that does not run here', async () => {
    let calls = 0;
    const { previews, kept } = start(async () => {
      calls += 1;
      throw new LibraryBroken('of another machine');
    });
    for (const id of ['a', 'b', 'a']) expect(await previews.of(file(id), 'small')).toBeUndefined();
    expect([calls, kept.size]).toEqual([1, 0]);
  });

  test('are not waited for by more than fifty, and are tried again where the maker failed', async () => {
    const release: (() => void)[] = [];
    let isBroken = true;
    const { previews } = start(async (...given) => {
      await new Promise<void>((resolve) => void release.push(resolve));
      if (isBroken) throw new Error('broken');
      return made(...given);
    });
    const asked = Array.from({ length: 60 }, (_, index) => previews.of(file(String(index)), 'small'));
    // One is tried, fifty wait, and the others are answered at once.
    expect(await Promise.all(asked.slice(51))).toEqual(Array.from({ length: 9 }, () => undefined));
    for (let answered = 0; answered < 51;) {
      await new Promise(setImmediate);
      for (const next of release.splice(0)) {
        next();
        answered += 1;
      }
    }
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 60 }, () => undefined));
    isBroken = false;
    const again = previews.of(file('1'), 'small');
    while (release.length === 0) await new Promise(setImmediate);
    release.pop()?.();
    expect(await again).toBeDefined();
  });
});
