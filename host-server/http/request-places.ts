import { addressRange, type Principal, type RouteDefinition } from '@trellis/sdk/server';
import { Arrivals } from '../runtime/arrivals.ts';
import { ByteBudget } from '../runtime/byte-budget.ts';
import { Places, type Leave, type PlaceLimits } from '../runtime/places.ts';

/** Whose share a request uses: a person's, from wherever they call, or a stranger's by the network of their address. */
export interface Claimant {
  readonly key: string;
  readonly isStranger: boolean;
}

/** @param address as `clientAddress` gives it. */
export function claimantOf(principal: Principal, address: string): Claimant {
  const isStranger = principal.kind !== 'user' && principal.kind !== 'token';
  return { key: isStranger ? addressRange(address) : principal.id, isStranger };
}

/** What a claimant may take places of: people and strangers have pools of their own, so that neither uses up the other's. */
class Pools {
  readonly #people: Places;
  readonly #strangers: Places;

  constructor(limits: { readonly people: PlaceLimits; readonly strangers: PlaceLimits }) {
    this.#people = new Places(limits.people);
    this.#strangers = new Places(limits.strangers);
  }

  enter({ key, isStranger }: Claimant): Leave | Promise<Leave> {
    return (isStranger ? this.#strangers : this.#people).enter(key);
  }
}

const second = 1000;

/** Requests whose handlers run. */
const work = {
  people: { all: 400, each: 64, waiting: { all: 2000, each: 200, time: 10 * second } },
  strangers: { all: 100, each: 32, waiting: { all: 400, each: 100, time: 5 * second } },
};
/** Requests that hash a password: two are hashed at a time, the others read and write around it. */
const passwords = {
  people: { all: 4, each: 1, waiting: { all: 100, each: 4, time: 15 * second } },
  strangers: { all: 8, each: 4, waiting: { all: 400, each: 60, time: 15 * second } },
};
/** Streamed answers, which last as long as their reader reads. */
const streams = {
  people: { all: 64, each: 2, waiting: { all: 400, each: 8, time: 30 * second } },
  strangers: { all: 4, each: 1, waiting: { all: 20, each: 2, time: 30 * second } },
};
/** Bodies that are still arriving. */
const bodies = {
  people: { all: 1000, each: 64, waiting: { all: 1000, each: 100, time: 10 * second } },
  strangers: { all: 500, each: 100 },
};

const megabyte = 1024 * 1024;

/** Answers that wait in memory until their readers take them. One page may have 64 MB. */
const answers = {
  people: { all: 256 * megabyte, each: 96 * megabyte },
  strangers: { all: 96 * megabyte, each: 80 * megabyte },
};

/** Told when handlers begin and end. */
export interface RequestCount {
  /** The answer is called once, at the end. */
  begin(): () => void;
}

/** All places that requests take, by kind. */
export class RequestPlaces {
  readonly #work = new Pools(work);
  readonly #passwords = new Pools(passwords);
  readonly #streams = new Pools(streams);
  readonly #answers = new ByteBudget(answers.people);
  readonly #strangersAnswers = new ByteBudget(answers.strangers);
  readonly #bodies = new Places(bodies.people);
  readonly #arriving = new Arrivals(bodies.strangers);
  readonly #count: RequestCount;

  constructor(count: RequestCount) {
    this.#count = count;
  }

  /**
   * A place for a handler.
   *
   * @throws TrellisError 503 `TOO_BUSY`.
   */
  enter(claimant: Claimant, kind: RouteDefinition['places']): Leave | Promise<Leave> {
    if (kind === 'none') return nothingTaken;
    const place = (kind === 'passwords' ? this.#passwords : this.#work).enter(claimant);
    return typeof place === 'function' ? this.#counted(place) : place.then((leave) => this.#counted(leave));
  }

  #counted(leave: Leave): Leave {
    let end: (() => void) | undefined = this.#count.begin();
    return () => {
      end?.();
      end = undefined;
      leave();
    };
  }

  /** A place for a streamed answer. Throws like `enter`. */
  enterStream(claimant: Claimant): Leave | Promise<Leave> {
    return this.#streams.enter(claimant);
  }

  /** Room for an answer that waits for its reader. Throws like `enter`. */
  holdAnswer({ key, isStranger }: Claimant, bytes: number): Leave {
    return (isStranger ? this.#strangersAnswers : this.#answers).take(key, bytes);
  }

  /**
   * A place for a body. `onCut` ends the body when a stranger has to make room for another one.
   *
   * @throws TrellisError 503 `TOO_BUSY`.
   */
  enterBody(claimant: Claimant, onCut: () => void): Leave | Promise<Leave> {
    return claimant.isStranger ? this.#arriving.enter(claimant.key, onCut) : this.#bodies.enter(claimant.key);
  }
}

const nothingTaken: Leave = () => undefined;
