import type { AutomationStep, ServerPluginContext } from '@trellis/sdk/server';
import { callAddressStep } from './call-address.ts';
import { createRowAccess } from './cells.ts';
import { createRowStep } from './create-row.ts';
import { deleteRowStep } from './delete-row.ts';
import { findRowsStep } from './find-rows.ts';
import { createLinkAccess } from './links.ts';
import { runOperationStep } from './run-operation.ts';
import { sendMailStep } from './send-mail.ts';
import { sendMessageStep } from './send-message.ts';
import { updateRowStep } from './update-row.ts';
import { updateRowsStep } from './update-rows.ts';
import { waitStep } from './wait.ts';

/** The steps of this plugin. */
export function ownSteps(ctx: ServerPluginContext): readonly AutomationStep[] {
  const access = createRowAccess(ctx);
  const links = createLinkAccess(ctx);
  return [
    createRowStep(access, links),
    updateRowStep(access, links),
    updateRowsStep(access),
    deleteRowStep(access),
    findRowsStep(access),
    callAddressStep(ctx),
    sendMailStep(ctx),
    sendMessageStep(ctx),
    waitStep(),
    runOperationStep(ctx, access),
  ];
}
