/** Waits as long as there is progress. */
export interface Patience {
  /** Resolves once a step or the whole took too long. */
  readonly lost: Promise<void>;
  /** Reports progress: the next step may take the full time again. */
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
