import type { PluginAsks } from '@trellis/sdk/shared';
import { sizeText, useT, type Translate } from '@trellis/sdk/web';
import type { OfferedProposal } from '../shared/index.ts';
import { askedText, askTerms } from './asked-words.ts';
import { registryWords } from './registry-words.ts';

function labelsOf({ contributes, labels }: OfferedProposal, registry: string, t: Translate): string {
  const named = labels[registry] ?? {};
  return (contributes[registry] ?? []).map((id) => (named[id] === undefined ? id : t(named[id]))).join(', ');
}

/** What a plugin brings and what it needs, line by line. */
export function ProposalFacts({ proposal }: { readonly proposal: OfferedProposal }) {
  const t = useT();
  const { contributes } = proposal;
  const added = Object.entries(contributes).filter(
    ([registry, ids]) => registry !== 'permissions' && ids.length > 0,
  );
  const asked = (kind: keyof PluginAsks) =>
    [t(askTerms[kind].label), askedText(t, kind, proposal[kind])] as const;
  const lines: readonly (readonly [string, string])[] = [
    [
      t('What it adds'),
      added
        .map(
          ([registry]) =>
            `${t(registryWords[registry]?.label ?? registry)}: ${labelsOf(proposal, registry, t)}`,
        )
        .join('; '),
    ],
    asked('halves'),
    asked('hooks'),
    asked('paths'),
    [t('Hosts that it calls'), askedText(t, 'hosts', proposal.hosts) || t('none')],
    asked('permissions'),
    [t('Rights that it brings'), labelsOf(proposal, 'permissions', t)],
    asked('tables'),
    [t('Settings'), proposal.settings.join(', ')],
    [t('Needed before it works'), proposal.requiredSettings.join(', ')],
    [t('Author'), proposal.author ?? ''],
    [t('License'), proposal.license ?? ''],
    [t('Home page'), proposal.homepage ?? ''],
    [
      t('Size'),
      t('{{size}} in {{count}} files', {
        size: sizeText(proposal.bytes),
        count: proposal.files,
        one: '{{size}} in {{count}} file',
      }),
    ],
    [t('Checksum'), proposal.sha256],
  ];
  return (
    <dl className="store-facts">
      {lines
        .filter(([, text]) => text !== '')
        .map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
