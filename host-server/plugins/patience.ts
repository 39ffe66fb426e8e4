/** Waits as long as something goes on. */
export interface Patience {
  /** Resolves once a step or the whole took too long. */
  readonly lost: Promise<void>;
  /** Something went on: the next step may take as long again. */
  renew(): void;
  dispose(): void;
}

/** @param limits milliseconds for one step, and for all of them together. */
export function createPatience(limits: { readonly step: number; readonly whole: number }): Patience {
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const whole = setTimeout(lose, limits.whole);
  const step = setTimeout(lose, limits.step);
  return {
    lost,
    renew: () => void step.refresh(),
    dispose() {
      clearTimeout(step);
      clearTimeout(whole);
    },
  };
}
