/** The clock of schedules; tests replace it. */
export interface ScheduleClock {
  /** UTC, milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after so many milliseconds; returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: ScheduleClock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
