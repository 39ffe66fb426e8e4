import type { ReactNode } from 'react';
import { messageOfError } from '../attempt.ts';
import { useSharedT } from '../host.tsx';
import { ErrorNotice } from '../ui/index.ts';

/** The props of a view that could not be opened. @public */
export interface ViewFailureProps {
  readonly error: Error;
  onRetry(this: void): void;
}

/** Shown in place of a view whose data could not be loaded. @public */
export function ViewFailure({ error, onRetry }: ViewFailureProps): ReactNode {
  const t = useSharedT();
  const message = messageOfError(error, t);
  return <ErrorNotice title={t('This view cannot be opened')} {...{ message, onRetry }} />;
}
