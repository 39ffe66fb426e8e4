import type { Disposable } from './disposable.ts';
import { startTimer } from './platform.ts';

type ErrorHandler = (error: unknown) => void;

/** Without a handler the error is thrown later, so that the platform reports it as uncaught. */
const throwLater: ErrorHandler = (error) => {
  startTimer(0, () => {
    throw error;
  });
};

let handler: ErrorHandler = throwLater;

/**
 * Reports an error that nobody is waiting for, such as one thrown by an event listener.
 * Hosts route it to their logger with {@link setUnexpectedErrorHandler} before they do anything else.
 */
export function onUnexpectedError(error: unknown): void {
  handler(error);
}

/** Replaces the process-wide handler; disposing puts the earlier one back. */
export function setUnexpectedErrorHandler(next: ErrorHandler): Disposable {
  const previous = handler;
  handler = next;
  return {
    dispose() {
      if (handler === next) handler = previous;
    },
  };
}
