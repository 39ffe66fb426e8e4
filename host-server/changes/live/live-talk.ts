import type { RegistryView } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type AccessService,
  type Bus,
  type LiveTopic,
  type Logger,
  type Principal,
} from '@trellis/sdk/server';
import type { LiveSaid, LiveSaying } from '@trellis/sdk/shared';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** A page said something, or (without `said`) is gone. */
    'live.said': SaidOnTable;
  }
}

/** Something that a page of a table said, on its way between servers. */
interface SaidOnTable {
  readonly projectId: string;
  readonly tableId: string;
  readonly topic: string;
  readonly from: LiveSaying['from'];
  readonly said: LiveSaid | undefined;
}

/** A page that listens to tables, as the channel knows it. */
export interface TalkingPage {
  readonly id: string;
  readonly principal: Principal | undefined;
  send(saying: LiveSaying): void;
}

export interface LiveTalkDependencies {
  readonly access: AccessService;
  readonly bus: Bus;
  readonly topics: RegistryView<LiveTopic>;
  readonly logger: Logger;
  /** The pages of this server that listen to a table. */
  readonly pagesOf: (tableId: string) => readonly TalkingPage[];
}

interface Known extends SaidOnTable {
  /** Of another server: when it was heard last. */
  readonly heardAt: number | undefined;
}

const longestSaid = 1000;
const idShape = /^md_[0-9a-z]{14,20}$/;
/** Milliseconds after which a server says again what its pages said, and until what another server said is forgotten without that. */
const sayAgainEvery = 20_000;
const forgottenAfter = 50_000;

/** What open pages say to each other, kept in memory for as long as they are open. */
export class LiveTalk {
  readonly #deps: LiveTalkDependencies;
  /** By table, then by page and topic. */
  readonly #known = new Map<string, Map<string, Known>>();
  /** What was said last of those sayings that are still asked about, by table, page and topic. */
  readonly #asked = new Map<string, symbol>();
  readonly #repeating: NodeJS.Timeout;

  constructor(deps: LiveTalkDependencies) {
    this.#deps = deps;
    deps.bus.subscribe('live.said', {
      message: (message, origin) => this.#hear(message, origin === 'elsewhere'),
      // What others said meanwhile comes again by itself.
      gap: () => void this.#sayAgain(),
    });
    this.#repeating = setInterval(() => void this.#sayAgain(), sayAgainEvery).unref();
  }

  dispose(): void {
    clearInterval(this.#repeating);
  }

  /** Takes what a page says of a table that it listens to; anything else is dropped. */
  async say(page: TalkingPage, request: unknown): Promise<void> {
    const { tableId, topic, said } = (request ?? {}) as Partial<
      Record<'tableId' | 'topic' | 'said', unknown>
    >;
    if (typeof tableId !== 'string' || !idShape.test(tableId) || typeof topic !== 'string') return;
    const key = keyOf(page.id, topic);
    const asking = `${tableId} ${key}`;
    if (said === null) {
      this.#asked.delete(asking);
      return this.#forget(tableId, key);
    }
    const read = this.#deps.topics.get(topic)?.read(said);
    if (read === undefined || JSON.stringify(read).length > longestSaid) return;
    const turn = Symbol(asking);
    this.#asked.set(asking, turn);
    // False where the page said something else, or took it back, while its rights were asked.
    const isLast = () => this.#asked.get(asking) === turn;
    try {
      const projectId = (await this.#deps.access.locate('table', tableId)) ?? '';
      // Asked once the project is known: the page may have left meanwhile.
      const { principal } = page;
      if (principal === undefined || !(await this.#mayTalk(principal, projectId, tableId))) return;
      if (!isLast() || !this.#deps.pagesOf(tableId).some(({ id }) => id === page.id)) return;
      const from = {
        id: page.id,
        userId: principal.id,
        email: principal.email,
        isVisitor: isVisitor(principal),
      };
      this.#deps.bus.publish('live.said', { projectId, tableId, topic, from, said: read });
    } finally {
      if (isLast()) this.#asked.delete(asking);
    }
  }

  /** Tells a page that has just come what the others of the table say. */
  async welcome(page: TalkingPage, tableId: string): Promise<void> {
    for (const known of this.#known.get(tableId)?.values() ?? []) await this.#tell(page, known);
  }

  /** A page left a table, or is gone. */
  leave(pageId: string, tableId?: string): void {
    const tables = tableId === undefined ? [...this.#known.keys()] : [tableId];
    for (const table of tables)
      for (const [key, { from }] of this.#known.get(table) ?? [])
        if (from.id === pageId) this.#forget(table, key);
  }

  #forget(tableId: string, key: string): void {
    const known = this.#known.get(tableId)?.get(key);
    if (known === undefined) return;
    const { projectId, topic, from } = known;
    this.#deps.bus.publish('live.said', { projectId, tableId, topic, from, said: undefined });
  }

  #hear(message: SaidOnTable, isElsewhere: boolean): void {
    const { tableId, topic, from } = message;
    const key = keyOf(from.id, topic);
    const ofTable = this.#known.get(tableId) ?? new Map<string, Known>();
    const before = ofTable.get(key);
    const isSame = JSON.stringify(before?.said) === JSON.stringify(message.said);
    // The object is replaced only when its content changes: `#tell` compares it by identity to find out what is out of date.
    const said = isSame ? before?.said : message.said;
    if (said === undefined) ofTable.delete(key);
    else ofTable.set(key, { ...message, said, heardAt: isElsewhere ? Date.now() : undefined });
    if (ofTable.size === 0) this.#known.delete(tableId);
    else this.#known.set(tableId, ofTable);
    if (isSame) return;
    for (const page of this.#deps.pagesOf(tableId)) void this.#tell(page, message);
  }

  async #tell(page: TalkingPage, message: SaidOnTable): Promise<void> {
    const { projectId, tableId, topic, from, said } = message;
    if (page.id === from.id) return;
    try {
      const { principal } = page;
      const heard = principal && said && (await this.#heardBy(principal, message, said));
      // Something else was said while the rights were asked, and is told by itself.
      if (said !== undefined && this.#known.get(tableId)?.get(keyOf(from.id, topic))?.said !== said) return;
      // "Gone" carries only the id of the page: a listener that never heard of that page learns nothing from it.
      page.send({
        projectId,
        tableId,
        topic,
        from: heard ? senderFor(principal, from) : { id: from.id, userId: '', email: '' },
        said: heard ?? null,
      });
    } catch (error) {
      this.#deps.logger.warn('Nobody can tell what a listener may hear of another page', { error });
    }
  }

  async #heardBy(principal: Principal, message: SaidOnTable, said: LiveSaid): Promise<LiveSaid | undefined> {
    const { projectId, tableId, topic } = message;
    const scope = await this.#deps.access.scopeFor(principal, projectId, 'live');
    if (!mayTalk(principal, scope, tableId)) return undefined;
    return this.#deps.topics.get(topic)?.tell(said, scope, tableId);
  }

  async #mayTalk(principal: Principal, projectId: string, tableId: string): Promise<boolean> {
    return mayTalk(principal, await this.#deps.access.scopeFor(principal, projectId, 'live'), tableId);
  }

  /** Says again what pages of this server said and still may say; forgets what other servers do not say any more. */
  async #sayAgain(): Promise<void> {
    const all = [...this.#known.values()].flatMap((ofTable) => [...ofTable]);
    for (const [key, { heardAt, ...saying }] of all) {
      const { tableId, projectId, from } = saying;
      if (heardAt !== undefined) {
        if (Date.now() - heardAt > forgottenAfter) this.#hear({ ...saying, said: undefined }, true);
        continue;
      }
      const page = this.#deps.pagesOf(tableId).find(({ id }) => id === from.id);
      const mayStay =
        page?.principal && (await this.#mayTalk(page.principal, projectId, tableId).catch(() => true));
      if (mayStay) this.#deps.bus.publish('live.said', saying);
      else this.#forget(tableId, key);
    }
  }
}

/** Members who may read the table; of visitors those who may change its rows, since the others only look. */
function mayTalk(principal: Principal, scope: AccessScope, tableId: string): boolean {
  const inTable = scope.inTable(tableId);
  return (
    scope.may('tableList') && inTable.may('dataList') && (!isVisitor(principal) || inTable.may('dataUpdate'))
  );
}

/** Strangers hear that somebody is there, and not who. */
function senderFor(listener: Principal | undefined, from: LiveSaying['from']): LiveSaying['from'] {
  return listener !== undefined && isVisitor(listener) ? { ...from, userId: '', email: '' } : from;
}

const keyOf = (pageId: string, topic: string): string => `${pageId} ${topic}`;
