import { useT, type Translate } from '@trellis/sdk/web';
import { Form, Notice } from '@trellis/sdk/web/ui';
import { useState, type ReactNode } from 'react';
import type { OfferedProposal } from '../shared/index.ts';
import { AskedFor } from './AskedFor.tsx';
import type { TranslatedProposal } from './plugin-words.ts';
import { ProposalFacts } from './ProposalFacts.tsx';
import { OwnTask } from './StoreTasks.tsx';
import { asksForSomething } from './use-consent.ts';

/** What people can agree to before a plugin is installed. */
export function ProposalSheet(props: {
  readonly proposal: TranslatedProposal;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onInstall: () => void;
  readonly onBack: () => void;
}) {
  const { proposal } = props;
  const t = useT();
  const [agrees, setAgrees] = useState(false);
  const [trustsSigner, setTrustsSigner] = useState(false);
  const { current, formerSigner } = proposal;
  const isUpdate = current !== undefined;
  const needsConsent = asksForSomething(proposal.unagreed);

  function problemOf(): string | undefined {
    if (props.problem === undefined || current === undefined) return props.problem;
    // What a plugin throws may end without a full stop.
    const problem = /[.!?…]$/.test(props.problem) ? props.problem : `${props.problem}.`;
    return `${problem} ${t('Version {{version}} stays in use.', { version: current })}`;
  }

  return (
    <Form
      submitLabel={submitLabelOf(t, proposal)}
      busyLabel={isUpdate && !proposal.isOlder ? t('Updating') : t('Installing')}
      isBusy={props.isBusy}
      canSubmit={
        !proposal.isRefused && (!needsConsent || agrees) && (formerSigner === undefined || trustsSigner)
      }
      problem={problemOf()}
      cancelLabel={t('Back')}
      onSubmit={props.onInstall}
      onCancel={props.onBack}
    >
      {proposal.description !== '' && <p className="store-description">{proposal.description}</p>}
      <Signer proposal={proposal} />
      {formerSigner !== undefined && (
        <>
          <Notice severity="error">
            <p>
              {formerSignerText(t, proposal)}{' '}
              {t('Unless its author told you so, somebody else made this one.')} {t('Key until now:')}{' '}
              <code>{formerSigner.fingerprint}</code>
            </p>
          </Notice>
          <Agreement agrees={trustsSigner} onChange={setTrustsSigner}>
            {t('I asked its author: the signature has changed on purpose')}
          </Agreement>
        </>
      )}
      {proposal.isOlder && (
        <Notice severity="warn">
          <p>{olderText(t, proposal)}</p>
        </Notice>
      )}
      {proposal.problems.length > 0 && (
        <Notice severity="warn">
          <p>{t('It cannot run here as things are:')}</p>
          <ul>
            {proposal.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      {props.isBusy && <OwnTask kind="install" plugin={`${proposal.manifestName} ${proposal.version}`} />}
      <ProposalFacts proposal={proposal} />
      {needsConsent && (
        <Agreement agrees={agrees} onChange={setAgrees}>
          {current === undefined
            ? t('I agree to what it asks for:')
            : t('I agree to what it asks for beyond what was agreed to before:')}
          <AskedFor asks={proposal.unagreed} />
        </Agreement>
      )}
      {isUpdate && (
        <p className="tr-note">
          {t('Version {{version}} stays on the server: a button on its card leads back to it.', {
            version: current,
          })}
        </p>
      )}
      {proposal.halves.includes('server') && (
        <p className="tr-note">
          {t(
            'A plugin runs inside the server with its rights. The hosts that it calls through the product are held to this list; what it could do around the product, with files, memory or connections of its own, is not held back. Install what you trust.',
          )}
        </p>
      )}
      {proposal.halves.includes('web') && (
        <p className="tr-note">
          {t(
            'In the browser it can see and do whatever the person can who has the page open, your own page included; nothing in a page holds it back from that.',
          )}
        </p>
      )}
    </Form>
  );
}

function submitLabelOf(t: Translate, { current, isOlder }: OfferedProposal): string {
  if (isOlder) return t('Install the older version');
  return current === undefined ? t('Install') : t('Update');
}

function olderText(t: Translate, { current, formerVersion = '' }: OfferedProposal): string {
  if (current === undefined)
    return t(
      'It is older than version {{version}}, whose settings or data are still here: what that one mended would be open again.',
      { version: formerVersion },
    );
  return t(
    'It is older than version {{version}}, which is in use: what that one mended would be open again.',
    { version: current },
  );
}

/** Until now another key has signed what has this id, or what it left here. */
function formerSignerText(t: Translate, { current, signer }: OfferedProposal): string {
  if (current === undefined)
    return t(
      'The plugin that was here by this id had another signature, and its settings or data are still here.',
    );
  return signer === undefined
    ? t('The version in use is signed, and this one is not.')
    : t('The version in use is signed with another key.');
}

function Agreement(props: {
  readonly agrees: boolean;
  readonly onChange: (agrees: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="store-consent">
      <input
        type="checkbox"
        checked={props.agrees}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>{props.children}</span>
    </label>
  );
}

function Signer({ proposal }: { readonly proposal: OfferedProposal }) {
  const { signer, formerSigner, publisher, isRefused } = proposal;
  const t = useT();
  const refusal = isRefused && <p>{t('The settings of the App store ask for a known publisher.')}</p>;
  if (signer === undefined)
    return (
      <Notice severity={isRefused ? 'error' : 'warn'}>
        <p>{t('Nobody has signed it: who made it is only what it says itself.')}</p>
        {refusal}
      </Notice>
    );
  return (
    <Notice severity={publisher === undefined ? (isRefused ? 'error' : 'warn') : 'success'}>
      <p>
        {publisher === undefined
          ? t('It is signed with a key that you do not know.')
          : t('Signed by {{publisher}}', { publisher })}{' '}
        {t('Key:')} <code>{signer.fingerprint}</code>
      </p>
      {publisher === undefined && formerSigner === undefined && (
        <p>
          {t(
            'Once its author has told you that this key is theirs, name it in the settings of the App store:',
          )}{' '}
          <code>{signer.publicKey}</code>
        </p>
      )}
      {refusal}
    </Notice>
  );
}
