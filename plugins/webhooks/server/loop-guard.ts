/** Turns after which it checks whether a webhook causes the changes that it reports. */
const firstLook = 50;
const lastLook = 50_000;
/** Consecutive checks without other changes, after which it counts as a loop. */
const looksNeeded = 3;
/** Milliseconds after a message within which a change may be its consequence. */
const longestTurn = 30_000;
const shortestPause = 2000;

/** How a webhook's messages and the changes that it reports alternate. Times are in milliseconds since 1970. */
interface Course {
  /** The number of changes that followed a message. */
  turns: number;
  /** The longest time from a message to the change after it. */
  lag: number;
  /** The first message since the last turn. */
  sentAt: number | undefined;
  /** Turns after which the next check is made. */
  lookAfter: number;
  looks: number;
  /** Nothing is sent until `until`; changes after `from` have another cause. */
  hold: { readonly from: number; readonly until: number; isAlone: boolean } | undefined;
}

/** Who changed a row: `program`, with an API token as receivers use, or `person`, signed in or by a public form. */
export type ChangedBy = 'program' | 'person';

/** What to do with a message. */
export type LoopVerdict =
  { readonly kind: 'go' } | { readonly kind: 'hold'; readonly until: number } | { readonly kind: 'loop' };

/**
 * Detects webhooks whose receivers write back without the header `x-trellis-chain`, to the same row, by new rows or through other
 * tables. After changes have followed messages for a while, the webhook pauses for some seconds: changes by others continue
 * meanwhile, its own consequences stop. If there are no changes in three consecutive pauses, it is a loop. If people or public
 * forms make the changes that follow its messages, it is slowed down but never stopped: otherwise anybody could stop it by writing
 * in time with its messages.
 *
 * The state belongs to this server, and is lost when the server stops.
 */
export class LoopGuard {
  readonly #courses: Readonly<Record<ChangedBy, Map<string, Course>>> = {
    program: new Map(),
    person: new Map(),
  };

  /** Called when a message is sent. */
  sent(hookId: string, at: number): void {
    for (const courses of Object.values(this.#courses)) {
      const course = courses.get(hookId);
      if (course === undefined) courses.set(hookId, newCourse(at));
      else course.sentAt ??= at;
    }
  }

  /** Called when a row changed that the webhook reports. */
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

  /** Called before something is sent. */
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
    // There was nothing to send for so long that the pause proves nothing.
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
