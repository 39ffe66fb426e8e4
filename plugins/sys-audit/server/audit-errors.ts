import { defineErrors } from '@trellis/sdk/shared';

export const auditErrors = defineErrors({
  AUDIT_MOMENT: { status: 400, message: "There is no moment '{moment}'." },
});
