import type { Connection } from '../api/connection.ts';
import { createPartsHook } from '../base/parts-context.ts';
import type { ConfirmCenter } from './confirm-center.ts';
import type { ToastCenter } from './toast-center.ts';

/** The parts that inform and ask the person. */
export interface FeedbackParts {
  readonly toasts: ToastCenter;
  readonly confirms: ConfirmCenter;
  readonly connection: Connection;
}

export const useFeedbackParts = createPartsHook<FeedbackParts>();
