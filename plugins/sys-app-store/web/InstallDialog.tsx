import type { PluginEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Dialog, Progress } from '@trellis/sdk/web/ui';
import type { OfferedProposal } from '../shared/index.ts';
import { ArchiveChooser } from './ArchiveChooser.tsx';
import { IndexList } from './IndexList.tsx';
import { ProposalSheet } from './ProposalSheet.tsx';
import { useInstall } from './use-install.ts';

/** Installs a plugin: first where it comes from, then what it asks for. */
export default function InstallDialog(props: {
  readonly onClose: () => void;
  readonly onInstalled: (plugin: PluginEntity, proposal: OfferedProposal) => void;
}) {
  const t = useT();
  const { step, bringFile, bringFolder, bringFromIndex, install, back } = useInstall(props.onInstalled);
  const title =
    step.kind === 'decide' || step.kind === 'installing' ? titleOf(step.proposal) : t('Install a plugin');

  function titleOf({ name, version, current, formerVersion, isOlder }: OfferedProposal): string {
    if (isOlder && current !== undefined)
      return t('Install {{name}} {{version}}, older than the installed {{current}}?', {
        name,
        version,
        current,
      });
    if (isOlder && formerVersion !== undefined)
      return t('Install {{name}} {{version}}, older than {{former}}, which was here before?', {
        name,
        version,
        former: formerVersion,
      });
    return current === undefined
      ? t('Install {{name}} {{version}}?', { name, version })
      : t('{{name}}: {{current}} becomes {{version}}?', { name, current, version });
  }

  return (
    <Dialog title={title} width={640} isBusy={step.kind === 'installing'} onClose={props.onClose}>
      {step.kind === 'choose' && (
        <div className="store-sources">
          <ArchiveChooser
            problem={step.problem}
            onChoose={(file) => void bringFile(file)}
            onChooseFolder={(folder) => void bringFolder(folder)}
          />
          <IndexList onChoose={(plugin) => void bringFromIndex(plugin)} />
        </div>
      )}
      {step.kind === 'bringing' && (
        <div className="store-bringing">
          <p role="status">{t('{{name}} is brought and checked', { name: step.name })}…</p>
          <Progress
            label={t('{{name}} is brought and checked', { name: step.name })}
            value={step.part === undefined || step.part >= 1 ? undefined : Math.round(step.part * 100)}
          />
          <button type="button" className="tr-button" onClick={back}>
            {t('Cancel')}
          </button>
        </div>
      )}
      {(step.kind === 'decide' || step.kind === 'installing') && (
        <ProposalSheet
          proposal={step.proposal}
          isBusy={step.kind === 'installing'}
          problem={step.kind === 'decide' ? step.problem : undefined}
          onInstall={() => void install(step.proposal)}
          onBack={back}
        />
      )}
    </Dialog>
  );
}
