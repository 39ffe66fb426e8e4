import type { AutomationStep, ServerPluginContext } from '@trellis/sdk/server';
import { callAddressStep } from './call-address.ts';
import { createRowAccess } from './cells.ts';
import { createRowStep } from './create-row.ts';
import { sendMessageStep } from './send-message.ts';
import { updateRowStep } from './update-row.ts';

/** The steps that this plugin brings. */
export function ownSteps(ctx: ServerPluginContext): readonly AutomationStep[] {
  const access = createRowAccess(ctx);
  return [createRowStep(access), updateRowStep(access), callAddressStep(ctx), sendMessageStep(ctx)];
}
