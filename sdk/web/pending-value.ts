import { useLayoutEffect, useRef, useState } from 'react';

/** A stored value that a control changes. @public */
export interface PendingValue<T> {
  /** What the control shows: the new value from the change on, the stored one otherwise. */
  readonly value: T;
  /** True while a change is being sent; another one is then ignored. */
  readonly isBusy: boolean;
  /** Shows a value while `work` sends it; what is stored is shown again when `work` resolves to false or throws. Throws what it throws. */
  change(this: void, value: T, work: () => Promise<boolean>): Promise<void>;
}

/**
 * Shows a changed value until the data say what is stored now, so that the control does not jump back between the answer to the
 * change and the next reading.
 *
 * @param stored what the data say; compared by identity.
 * @public
 */
export function usePendingValue<T>(stored: T): PendingValue<T> {
  const latest = useRef(stored);
  useLayoutEffect(() => {
    latest.current = stored;
  });
  /** `over` is what was stored when the change was taken; absent while it is being sent. */
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
