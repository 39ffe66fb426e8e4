import { buffer } from 'node:stream/consumers';
import type { Files, Logger } from '@trellis/sdk/server';
import { mayHavePreview, previewSizes, type PreviewSize } from '../shared/index.ts';
import type { FileRecord } from './file-store.ts';
import { LibraryBroken, type MakePictures } from './picture-maker.ts';
import type { KeptPreview, PreviewStore } from './preview-store.ts';

interface PreviewsDependencies {
  readonly files: Pick<Files, 'read' | 'put' | 'remove'>;
  readonly store: Pick<PreviewStore, 'find' | 'add'>;
  readonly logger: Logger;
  readonly make: MakePictures;
}

/** A small picture with readable bytes. */
export type Preview = KeptPreview & { readonly ref: string };

const sizes = Object.keys(previewSizes) as readonly PreviewSize[];
/** The most pictures in the queue. They are processed one by one, since each may take half a gigabyte of memory. */
const mostWaiting = 50;
/** The most bytes of a small picture. */
const largestPreview = 1024 * 1024;
/** Milliseconds to transfer the bytes of one picture. */
const longest = 60_000;

/** Small pictures, made on first request, all sizes of a picture together, and stored beside the file. */
export class Previews {
  readonly #deps: PreviewsDependencies;
  readonly #making = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  /** Undefined once it is known not to run here. */
  #maker: MakePictures | undefined;
  #isRunning = false;

  constructor(deps: PreviewsDependencies) {
    this.#deps = deps;
    this.#maker = deps.make;
  }

  /** Undefined if there is none: the file has none, the maker does not run here, or the queue is full. */
  async of(file: FileRecord, size: PreviewSize): Promise<Preview | undefined> {
    const { store } = this.#deps;
    const make = this.#maker;
    if (!mayHavePreview({ mimetype: file.type, size: file.size })) return undefined;
    let found = await store.find(file.id, size);
    if (found === undefined && make !== undefined) {
      await this.#made(file, make);
      found = await store.find(file.id, size);
    }
    const { ref } = found ?? {};
    return found === undefined || ref === undefined ? undefined : { ...found, ref };
  }

  /** Waits until a picture was tried, once for concurrent requests. */
  async #made(file: FileRecord, make: MakePictures): Promise<void> {
    const known = this.#making.get(file.id);
    if (known !== undefined) return known;
    if (this.#waiting.length >= mostWaiting) return;
    const making = this.#inTurn(() => this.#make(file, make)).catch((error: unknown) => {
      if (error instanceof LibraryBroken) this.#maker = undefined;
      this.#deps.logger.warn('A small picture was not made', { file: file.id, error });
    });
    this.#making.set(file.id, making);
    await making;
    this.#making.delete(file.id);
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#isRunning)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    else this.#isRunning = true;
    try {
      await work();
    } finally {
      // The next one in the queue takes over the place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#isRunning = false;
      else next();
    }
  }

  async #make({ id, ref }: FileRecord, make: MakePictures): Promise<void> {
    const { files, store } = this.#deps;
    const signal = AbortSignal.timeout(longest);
    const picture = await buffer(await files.read(ref, { signal }));
    const pictures = await make(picture, Object.values(previewSizes));
    const kept: KeptPreview[] = [];
    let isKept = false;
    try {
      for (const [index, size] of sizes.entries()) {
        const content = pictures?.[index];
        const facts = { name: `${size}.webp`, type: 'image/webp' };
        const stored = content && (await files.put(content, facts, { limit: largestPreview, signal }));
        kept.push({ size, ref: stored?.ref, bytes: stored?.size ?? 0 });
      }
      isKept = await store.add(id, kept);
    } finally {
      if (!isKept) for (const { ref: made } of kept) if (made !== undefined) await files.remove(made);
    }
  }
}
