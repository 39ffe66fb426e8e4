import { createHook } from 'node:async_hooks';
import { Server, Socket } from 'node:net';
import { relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What can go on by itself, by Node's names for the kinds that it makes at once. */
const kinds: Readonly<Record<string, string>> = {
  Timeout: 'A timer',
  UDPWRAP: 'A socket',
  FSEVENTWRAP: 'A watch over files',
  PROCESSWRAP: 'A program',
  WORKER: 'A worker',
};

/** Milliseconds in which what was ended is gone: Node tells of it later. */
const grace = 1000;
const pause = 20;

/** Work that was begun, and the place in the sources. */
interface Begun {
  readonly kind: string;
  readonly place: string;
}

/** Watches what a plugin's sources begin that goes on by itself until somebody ends it: timers, servers, sockets and the like. */
export class BegunWork {
  readonly #begun = new Map<number, Begun>();
  readonly #opened = new Map<Server | Socket, Begun>();
  readonly #restore: readonly (() => void)[];
  readonly #hook = createHook({
    init: (id, type) => {
      const kind = kinds[type];
      if (kind === undefined) return;
      const place = placeIn(this.folder, wholeStack());
      if (place !== undefined) this.#begun.set(id, { kind, place });
    },
    destroy: (id) => void this.#begun.delete(id),
  });

  /** @param folder only what this folder's files begin is watched, not what they have others begin */
  constructor(private readonly folder: string) {
    this.#hook.enable();
    // Node makes what these open after it has looked up the address.
    this.#restore = [
      this.#watchMethod(Server.prototype, 'listen', 'A server'),
      this.#watchMethod(Socket.prototype, 'connect', 'A connection'),
    ];
  }

  #watchMethod<Name extends string, Opener extends Server | Socket>(
    prototype: Opener & Record<Name, unknown>,
    name: Name,
    kind: string,
  ): () => void {
    const former = prototype[name] as (...args: unknown[]) => unknown;
    const opened = this.#opened;
    const { folder } = this;
    function watched(this: Opener, ...args: unknown[]): unknown {
      const place = placeIn(folder, wholeStack());
      if (place !== undefined) opened.set(this, { kind, place });
      return former.apply(this, args);
    }
    prototype[name] = watched as never;
    return () => {
      prototype[name] = former as never;
    };
  }

  #goingOn(): readonly Begun[] {
    const open = [...this.#opened].filter(([of]) => (of instanceof Server ? of.listening : !of.destroyed));
    return [...this.#begun.values(), ...open.map(([, begun]) => begun)];
  }

  /** What goes on although all of it should have ended by now, as sentences. */
  async left(): Promise<readonly string[]> {
    const deadline = performance.now() + grace;
    while (this.#goingOn().length > 0 && performance.now() < deadline) await delay(pause);
    const lines = this.#goingOn().map(
      ({ kind, place }) =>
        `${place} ${kind} that begins here goes on after the plugin was switched off; end it where 'ctx.signal' aborts, or hand it to 'ctx.own'.`,
    );
    return [...new Set(lines)].toSorted();
  }

  end(): void {
    this.#hook.disable();
    for (const restore of this.#restore) restore();
  }
}

/** Frames between the plugin and Node: the function that reads the stack, Node itself, the page's timers, and the plugin's packages. */
const between = /\bnode:|\bBegunWork\b|\bwholeStack\b|begun-work|[\\/]node_modules[\\/](?!@trellis[\\/])/;

/** Between a plugin and the timer that its page's window makes lie more frames than V8 keeps by default. */
const frameLimit = 50;

function wholeStack(): string {
  const former = Error.stackTraceLimit;
  Error.stackTraceLimit = frameLimit;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = former;
  return stack;
}

/** What Node and the page end themselves: connections of `fetch`, which they keep for others, and the timers of signals. */
const ofTheHost = /undici|AbortSignal|abort_controller/;

/** The place in a folder's file that the nearest frame names; undefined if another file is nearer. */
function placeIn(folder: string, stack: string): string | undefined {
  const frames = stack.split('\n').slice(1);
  if (ofTheHost.test(stack)) return undefined;
  const nearest = frames.find((frame) => !between.test(frame));
  const [, file = '', line, column] =
    /(?:\(|at (?:async )?)((?:file:|[A-Za-z]:|\/)[^()]*):(\d+):(\d+)\)?$/.exec(nearest ?? '') ?? [];
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  if (!path.startsWith(folder + sep)) return undefined;
  const own = relative(folder, path);
  // What a build begins is told of the sources.
  if (/(?:^|[\\/])(?:node_modules|\.trellis-check-\d+)[\\/]|\.test\.[jt]sx?$/.test(own)) return undefined;
  return `${own}:${line}:${column}`;
}
