import {
  LettersToken,
  SecretsToken,
  writeTo,
  type Letter,
  type ServerPluginContext,
} from '@trellis/sdk/server';

type News = Omit<Letter, 'to'>;

interface DigestRow {
  readonly id: string;
  readonly account_id: string;
  readonly sealed: string;
}

const purpose = 'digest';
const lastKey = 'digest-day';
/** News in one mail; further ones are counted. */
const mostNews = 50;
/** News that are read at once. */
const mostRows = 1000;

/** The mails that people get once a day. */
export class Digests {
  readonly #ctx: ServerPluginContext;

  constructor(ctx: ServerPluginContext) {
    this.#ctx = ctx;
  }

  /** The stored form of news until the mail is sent. */
  seal(letter: News): string {
    return this.#ctx.get(SecretsToken).encrypt(purpose, JSON.stringify(letter));
  }

  /** Sends the waiting news once a day, from a given hour on (UTC). */
  async sendDue(hour: number, signal: AbortSignal): Promise<void> {
    const { kv } = this.#ctx;
    // News wait until this server can send mail again: news that are passed on are deleted here.
    if (!this.#canSend()) return;
    const now = new Date();
    const today = now.toISOString().slice(0, 10);
    if (now.getUTCHours() < hour || (await kv.get<string>(lastKey)) === today) return;
    await kv.set(lastKey, today);
    for (let isMore = true; isMore && !signal.aborted && this.#canSend();) isMore = await this.#sendSome();
  }

  #canSend(): boolean {
    return this.#ctx.find(LettersToken)?.canSend() === true;
  }

  /** @returns whether there were any */
  async #sendSome(): Promise<boolean> {
    const { db, logger } = this.#ctx;
    const rows = await db.read((unit) =>
      unit.all<DigestRow>(
        unit.table('digest').orderBy(['account_id', 'at', 'id']).limit(mostRows).select('*'),
      ),
    );
    const accounts = [...new Set(rows.map(({ account_id: id }) => id))];
    for (const accountId of accounts) {
      const own = rows.filter(({ account_id: id }) => id === accountId);
      // Deleted before sending: letters that were passed on are stored separately, and nobody gets the same news twice.
      await db.write((unit) =>
        unit.run(
          unit
            .table('digest')
            .whereIn(
              'id',
              own.map(({ id }) => id),
            )
            .delete(),
        ),
      );
      await writeTo(this.#ctx, accountId, this.#letterOf(own)).catch((error: unknown) =>
        logger.warn('A mail with the news of the day could not be sent', { error }),
      );
    }
    return rows.length > 0;
  }

  #letterOf(rows: readonly DigestRow[]): News {
    const news = rows.slice(0, mostNews).flatMap((row) => this.#read(row) ?? []);
    const more = rows.length - news.length;
    return {
      subject: rows.length === 1 ? 'One piece of news' : `${rows.length} pieces of news`,
      paragraphs: [
        ...news.map(({ subject, paragraphs }) => [subject, ...paragraphs].join(' · ')),
        ...(more > 0 ? [`And ${more} more.`] : []),
      ],
      note: 'You get this mail once a day. Your account page says what is mailed to you.',
    };
  }

  /** Undefined for unreadable news, such as ones sealed with another secret: they do not hold back the news of others. */
  #read({ id, sealed }: DigestRow): News | undefined {
    try {
      return JSON.parse(this.#ctx.get(SecretsToken).decrypt(purpose, sealed)) as News;
    } catch (error) {
      this.#ctx.logger.warn('A piece of news for a daily mail cannot be read', { id, error });
      return undefined;
    }
  }
}
