import { useT } from '@trellis/sdk/web';
import { AuditLines } from './AuditLines.tsx';
import { ReadAgain } from './ReadAgain.tsx';
import { useAudit } from './use-audit.ts';

/** The server's audit log outside projects, for its administrators. */
export default function ServerAuditPanel() {
  const t = useT();
  const audit = useAudit();
  return (
    <section className="audit-panel">
      <div className="audit-bar">
        <p className="tr-note">
          {t(
            'Who signed in, and what was done to accounts, plugins and settings of this server. Times are those of your device.',
          )}
        </p>
        <ReadAgain audit={audit} />
      </div>
      <AuditLines audit={audit} />
    </section>
  );
}
