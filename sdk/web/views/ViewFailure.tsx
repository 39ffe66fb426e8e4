import type { ReactNode } from 'react';
import { messageOfError } from '../attempt.ts';
import { useSharedT } from '../host.tsx';
import { ErrorNotice } from '../ui/index.ts';

/** Why a view could not be opened, and the way to try again. @public */
export interface ViewFailureProps {
  readonly error: Error;
  onRetry(this: void): void;
}

/** Stands in the place of a view of which could not be read what it shows. @public */
export function ViewFailure({ error, onRetry }: ViewFailureProps): ReactNode {
  const t = useSharedT();
  const message = messageOfError(error, t);
  return <ErrorNotice title={t('This view cannot be opened')} {...{ message, onRetry }} />;
}
