import type { FileHolder, Files, HeldFile, TaskContext } from '@trellis/sdk/server';
import { TrellisError, type RegistryView } from '@trellis/sdk/shared';
import type { MoveInput, MoveResult } from '../shared/index.ts';

/** Files that are looked up at once, and files whose start is recorded together. */
const page = 200;
const group = 10;

/** A file being moved: the reference to replace, and the new one. */
interface Step {
  readonly holder: string;
  readonly from: string;
  readonly to: string;
  readonly size?: number;
}

/** The state of an interrupted move. */
interface MoveState {
  readonly files: number;
  readonly bytes: number;
  /** Files whose move has begun. */
  readonly begun: readonly Step[];
}

export type MoveContext = TaskContext<MoveInput, MoveState>;

interface MoveServices {
  readonly files: Files;
  readonly holders: RegistryView<FileHolder>;
  /** What a storage still holds. */
  count(place: string): Promise<{ readonly files: number }>;
}

/**
 * Moves the files of one storage to another, one by one: copies the bytes under a new reference, reads and compares the copy,
 * replaces the holder's reference, and only then removes the former bytes. The held reference can be read at every moment.
 *
 * References are never used again. The new reference is recorded first, so that an interrupted run leaves nothing behind: the next
 * one continues with the same reference.
 */
export class FileMove {
  readonly #services: MoveServices;
  readonly #context: MoveContext;
  #moved = 0;
  #bytes = 0;
  #left = 0;
  #total = 0;

  constructor(services: MoveServices, context: MoveContext) {
    this.#services = services;
    this.#context = context;
  }

  async run(): Promise<MoveResult> {
    const { checkpoint, payload } = this.#context;
    this.#moved = checkpoint?.files ?? 0;
    this.#bytes = checkpoint?.bytes ?? 0;
    for (const step of checkpoint?.begun ?? []) await this.#settle(step);
    this.#total = this.#moved + (await this.#services.count(payload.from)).files;
    this.#tell();
    // Uploads that were running when the storage was changed appear after the first look-up.
    for (;;) {
      const before = this.#moved;
      this.#left = 0;
      for (const holder of this.#services.holders.list()) await this.#moveOf(holder);
      if (this.#moved === before) break;
    }
    await this.#keep([]);
    return { files: this.#moved, bytes: this.#bytes, left: this.#left };
  }

  /** Deletes the copies that nobody holds. */
  async cleanUp(): Promise<void> {
    for (const { holder, from, to } of this.#context.checkpoint?.begun ?? []) {
      const isMoved = await this.#services.holders.get(holder)?.holds(to);
      if (isMoved !== undefined) await this.#services.files.remove(isMoved ? from : to);
    }
  }

  async #moveOf(holder: FileHolder): Promise<void> {
    const { from, to } = this.#context.payload;
    let after: string | undefined;
    for (;;) {
      const found = await holder.list(from, { after, most: page });
      for (let at = 0; at < found.length; at += group) {
        (await this.#context.scope()).require('storageUpdate');
        const steps = found.slice(at, at + group).map((file) => this.#step(holder, file, to));
        await this.#keep(steps);
        for (const step of steps) await this.#move(step, holder);
      }
      after = found.at(-1)?.ref;
      if (after === undefined) return;
    }
  }

  #step(holder: FileHolder, { ref, size }: HeldFile, to: string): Step {
    const { files } = this.#services;
    return { holder: holder.id, from: ref, to: files.newRef(to), ...(size !== undefined && { size }) };
  }

  /** Continues with a file that a former run had begun. */
  async #settle(step: Step): Promise<void> {
    const holder = this.#services.holders.get(step.holder);
    if (holder === undefined) return;
    if (await holder.holds(step.to)) await this.#arrived(step, step.size ?? 0);
    else if (await holder.holds(step.from)) await this.#move(step, holder);
    else await this.#services.files.remove(step.to);
  }

  async #move({ from, to, size: wanted }: Step, holder: FileHolder): Promise<void> {
    const { files } = this.#services;
    const { signal } = this.#context;
    signal.throwIfAborted();
    let size: number;
    try {
      ({ size } = await files.copy(from, to, { signal }));
    } catch (error) {
      // The copy could not be compared.
      await this.#takeBack(to, holder);
      const isGone = error instanceof TrellisError && error.code === 'FILE_UNKNOWN';
      if (!isGone) throw error;
      if (await holder.holds(from)) this.#left += 1;
      return;
    }
    signal.throwIfAborted();
    const isWhole = wanted === undefined || wanted === size;
    if (isWhole && (await holder.repoint(from, to))) {
      await this.#arrived({ from }, size);
      return;
    }
    if (!isWhole) this.#left += 1;
    await this.#takeBack(to, holder);
  }

  /** Removes the former bytes of a file whose new reference is held. */
  async #arrived({ from }: Pick<Step, 'from'>, size: number): Promise<void> {
    await this.#services.files.remove(from);
    this.#moved += 1;
    this.#bytes += size;
    this.#tell();
  }

  /** Removes a copy that nobody holds; if that fails, the next run or the clean-up does it. */
  async #takeBack(to: string, holder: FileHolder): Promise<void> {
    try {
      if (!(await holder.holds(to))) await this.#services.files.remove(to);
    } catch (error) {
      this.#context.logger.warn('The copy of a file was not removed', { ref: to, error });
    }
  }

  async #keep(begun: readonly Step[]): Promise<void> {
    await this.#context.keep({ files: this.#moved, bytes: this.#bytes, begun });
  }

  #tell(): void {
    this.#context.progress({ done: this.#moved, total: Math.max(this.#total, this.#moved) });
  }
}
