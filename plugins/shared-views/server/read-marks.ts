import { createHash } from 'node:crypto';
import { RouteAnswer, type RouteRequest } from '@trellis/sdk/server';

/**
 * Milliseconds for which a mark is believed without reading. By the clock alone: were it by what is written, the time that an answer takes
 * would tell of rows and columns that the link does not show.
 */
const believedFor = 15_000;
const mostKept = 1000;

/**
 * Public reads whose answers carry a mark (`ETag`). Whoever sends it along is told that nothing changed (304), and nothing else is sent:
 * pages of links notice by it what members write.
 *
 * A mark is made of what the answer holds and of nothing else, so that it tells no more than the answer does.
 */
export class ReadMarks {
  /** The marks of answers that were read a moment ago: however many look at the same page, its rows are read once in that time. */
  readonly #kept = new Map<string, { readonly mark: string; readonly until: number }>();

  /**
   * @param asked all that decides about the answer, the link among it; undefined for an answer that is not the same for everybody
   */
  async answer(
    { headers }: Pick<RouteRequest, 'headers'>,
    asked: string | undefined,
    read: () => Promise<unknown>,
  ): Promise<RouteAnswer> {
    const held = headers['if-none-match'];
    const key = asked === undefined ? undefined : hashOf(asked);
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (held !== undefined && kept?.mark === held && kept.until > Date.now()) return unchanged(held);
    const body = Buffer.from(JSON.stringify(await read()));
    // A weak one: the same answer may be sent compressed or not.
    const mark = `W/"${hashOf(body)}"`;
    if (key !== undefined) this.#keep(key, mark);
    return mark === held ? unchanged(mark) : new RouteAnswer({ body, headers: { etag: mark } });
  }

  #keep(key: string, mark: string): void {
    if (this.#kept.size >= mostKept && !this.#kept.has(key)) this.#kept.clear();
    this.#kept.set(key, { mark, until: Date.now() + believedFor });
  }
}

function unchanged(mark: string): RouteAnswer {
  return new RouteAnswer({ status: 304, headers: { etag: mark }, body: '' });
}

function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url');
}
