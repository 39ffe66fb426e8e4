import { useLayoutEffect, useRef, useState } from 'react';

/** A stored value that a control changes. @public */
export interface PendingValue<T> {
  /** The value to show: the new one after a change, otherwise the stored one. */
  readonly value: T;
  /** True while a change is being sent; further ones are then ignored. */
  readonly isBusy: boolean;
  /**
   * Shows a value while `work` sends it; the stored one is shown again if `work` resolves to false or throws. Rethrows its error.
   */
  change(this: void, value: T, work: () => Promise<boolean>): Promise<void>;
}

/**
 * Shows a changed value until the reloaded data contain it, so that the control does not jump back between the answer to the change
 * and the next load.
 *
 * @param stored the value in the data; compared by identity.
 * @public
 */
export function usePendingValue<T>(stored: T): PendingValue<T> {
  const latest = useRef(stored);
  useLayoutEffect(() => {
    latest.current = stored;
  });
  /** `over` is the stored value when the change was accepted; absent while it is being sent. */
  const [pending, setPending] = useState<{ readonly value: T; readonly over?: { readonly stored: T } }>();
  const { over } = pending ?? {};
  const isRead = over !== undefined && (stored === pending?.value || stored !== over.stored);
  if (isRead) setPending(undefined);

  async function change(value: T, work: () => Promise<boolean>): Promise<void> {
    if (pending !== undefined && over === undefined) return;
    setPending({ value });
    let isTaken = false;
    try {
      isTaken = await work();
    } finally {
      setPending(isTaken ? { value, over: { stored: latest.current } } : undefined);
    }
  }

  return {
    value: pending === undefined ? stored : pending.value,
    isBusy: pending !== undefined && over === undefined,
    change,
  };
}
