import { createHash } from 'node:crypto';
import { RouteAnswer, type RouteRequest } from '@trellis/sdk/server';

/**
 * Milliseconds for which a mark is valid without reading. Only time counts: if it depended on writes, the duration of an answer
 * would reveal changes of rows and columns that the link does not show.
 */
const believedFor = 15_000;
const mostKept = 1000;

/**
 * Public reads whose answers carry a mark (`ETag`). A client that sends it back gets 304 if nothing changed: pages of links use
 * this to notice changes by members.
 *
 * A mark depends only on the content of the answer, so it reveals no more than the answer.
 */
export class ReadMarks {
  /** The marks of recent answers: however many clients look at the same page, its rows are read once in that time. */
  readonly #kept = new Map<string, { readonly mark: string; readonly until: number }>();

  /**
   * @param asked everything that determines the answer, including the link; undefined for an answer that is not the same for
   *   everybody
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
