/** Turns after which it is looked whether a webhook causes what it tells of. */
const firstLook = 50;
const lastLook = 50_000;
/** Looks that find nothing else going on, one after the other, before it is taken for a loop. */
const looksNeeded = 3;
/** Milliseconds after a message in which a change may be its consequence. */
const longestTurn = 30_000;
const shortestPause = 2000;

/** How a webhook and the changes that it tells of follow each other. Times are in milliseconds since 1970. */
interface Course {
  /** Changes after a message, messages after such a change, and so on. */
  turns: number;
  /** The longest time from a message to the change after it. */
  lag: number;
  /** The first message since the last turn. */
  sentAt: number | undefined;
  /** Turns after which it is looked. */
  lookAfter: number;
  looks: number;
  /** Nothing is sent until `until`; what happens after `from` has another cause. */
  hold: { readonly from: number; readonly until: number; isAlone: boolean } | undefined;
}

/** By whom a row was changed: `program`, by an API token as receivers have them, or `person`, signed in or by a form that is open to all. */
export type ChangedBy = 'program' | 'person';

/** What is to become of a message. */
export type LoopVerdict =
  { readonly kind: 'go' } | { readonly kind: 'hold'; readonly until: number } | { readonly kind: 'loop' };

/**
 * Finds webhooks whose receivers write back without saying so (`x-trellis-chain`), be it to the same row, by new rows or through other
 * tables. Where changes have followed messages for a while, the webhook holds its breath for some seconds: what is written by others goes
 * on meanwhile, what it causes itself stops. A webhook that is alone three times in a row runs in a circle.
 * Where people, or whoever fills in a form, write what follows its messages, it is slowed down and never stopped: anybody could stop it by
 * writing in time with its messages.
 *
 * What it knows is this server's, and gone when the server stops.
 */
export class LoopGuard {
  readonly #courses: Readonly<Record<ChangedBy, Map<string, Course>>> = {
    program: new Map(),
    person: new Map(),
  };

  /** A message is sent. */
  sent(hookId: string, at: number): void {
    for (const courses of Object.values(this.#courses)) {
      const course = courses.get(hookId);
      if (course === undefined) courses.set(hookId, newCourse(at));
      else course.sentAt ??= at;
    }
  }

  /** A row changed of which the webhook tells. */
  happened(hookId: string, at: number, by: ChangedBy): void {
    for (const courses of Object.values(this.#courses)) {
      const course = courses.get(hookId);
      if (course?.hold !== undefined) {
        const { hold } = course;
        if (at > hold.from && at < hold.until) hold.isAlone = false;
      } else if (course !== undefined && courses === this.#courses[by])
        this.#turn(courses, course, { hookId, at });
    }
  }

  #turn(
    courses: Map<string, Course>,
    course: Course,
    { hookId, at }: { readonly hookId: string; readonly at: number },
  ): void {
    const { sentAt } = course;
    if (sentAt === undefined || at < sentAt) return;
    const lag = at - sentAt;
    if (lag > longestTurn) {
      courses.delete(hookId);
      return;
    }
    course.turns += 1;
    course.lag = Math.max(course.lag, lag);
    course.sentAt = undefined;
  }

  /** Asked before something is sent. */
  judge(hookId: string, now: number): LoopVerdict {
    const verdict = this.#judged(this.#courses.program, hookId, now);
    if (verdict.kind !== 'go') return verdict;
    const slowed = this.#judged(this.#courses.person, hookId, now);
    return slowed.kind === 'loop' ? verdict : slowed;
  }

  #judged(courses: Map<string, Course>, hookId: string, now: number): LoopVerdict {
    const course = courses.get(hookId);
    if (course === undefined || course.turns < course.lookAfter) return { kind: 'go' };
    const { hold } = course;
    if (hold === undefined) {
      const pause = Math.max(shortestPause, 2 * course.lag);
      course.hold = { from: now + pause, until: now + 2 * pause, isAlone: true };
      return { kind: 'hold', until: course.hold.until };
    }
    if (now < hold.until) return { kind: 'hold', until: hold.until };
    const { looks, lookAfter } = course;
    courses.delete(hookId);
    // Nothing was to be sent for so long that nothing follows from it.
    if (now > hold.until + longestTurn) return { kind: 'go' };
    if (hold.isAlone && looks + 1 >= looksNeeded) return { kind: 'loop' };
    courses.set(hookId, {
      ...newCourse(undefined),
      ...(hold.isAlone ? { looks: looks + 1, lookAfter } : { lookAfter: Math.min(lastLook, lookAfter * 10) }),
    });
    return { kind: 'go' };
  }
}

function newCourse(sentAt: number | undefined): Course {
  return { turns: 0, lag: 0, sentAt, lookAfter: firstLook, looks: 0, hold: undefined };
}
