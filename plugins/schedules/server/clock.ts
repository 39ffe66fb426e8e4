/** The time by which schedules run; tests bring one of their own. */
export interface ScheduleClock {
  /** UTC, milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after so many milliseconds; gives how to call it off. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: ScheduleClock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
