import type { PluginManifest } from '@trellis/core';
import { pluginAsks, type PluginHalf, type PluginProposal, type PluginSigner } from '@trellis/sdk/shared';
import { keyFingerprint } from '@trellis/sdk/build/archive/verify-signature';
import { contributionIds, contributionLabels } from '../plugin-entity.ts';
import { unagreedAsks } from './consent.ts';
import type { InstallNote } from './install-note.ts';
import type { RememberedPlugin } from './plugin-library.ts';
import type { StagedFacts } from './staging.ts';

export interface ProposalGround {
  readonly ticket: string;
  readonly halves: readonly PluginHalf[];
  readonly facts: StagedFacts;
  /** The version in use. */
  readonly current: PluginManifest | undefined;
  /** The plugin that was here last, if that is not installed any more and left its settings or data. */
  readonly last: Pick<RememberedPlugin, 'version' | 'signer'> | undefined;
  /** The earlier decisions. */
  readonly note: InstallNote;
  readonly problems: readonly string[];
}

/** The parts of `contributes` that need consent; the others name registries. */
const asked: readonly string[] = ['routes', 'hosts', 'tables', 'hooks'];

/** Describes a plugin that is not installed yet, for the person who decides about it. */
export function describeProposal(manifest: PluginManifest, ground: ProposalGround): PluginProposal {
  const { facts, halves, current, note } = ground;
  const { id, name, version, description = '', author, license, homepage, contributes = {} } = manifest;
  const registered = Object.fromEntries(
    Object.entries(contributes).filter(([registry]) => !asked.includes(registry)),
  );
  const fields = Object.entries(manifest.settings?.properties ?? {});
  const titles = fields.map(([key, { title }]) => title ?? key);
  const required = manifest.settings?.required ?? [];
  const { publicKey } = facts;
  const formerKey = current === undefined ? ground.last?.signer : note.versions?.[current.version]?.signer;
  return {
    ticket: ground.ticket,
    id,
    name,
    version,
    description,
    ...pluginAsks(manifest, halves),
    halves,
    ...(author !== undefined && { author }),
    ...(license !== undefined && { license }),
    ...(homepage !== undefined && { homepage }),
    ...(current !== undefined && { current: current.version }),
    ...(current === undefined && ground.last !== undefined && { formerVersion: ground.last.version }),
    contributes: contributionIds(registered),
    labels: contributionLabels(registered),
    unagreed: unagreedAsks({ manifest, halves }, note.consent),
    settings: titles,
    requiredSettings: titles.filter((_, index) => isNeeded(fields[index], required)),
    bytes: facts.bytes,
    files: facts.files,
    sha256: facts.sha256,
    ...(publicKey !== undefined && { signer: signerOf(publicKey) }),
    ...(formerKey !== undefined && formerKey !== publicKey && { formerSigner: signerOf(formerKey) }),
    problems: ground.problems,
  };
}

/** A key with its fingerprint, which people compare. */
export function signerOf(publicKey: string): PluginSigner {
  return { publicKey, fingerprint: keyFingerprint(publicKey) };
}

function isNeeded(
  field: readonly [string, { readonly default?: unknown }] | undefined,
  required: readonly string[],
): boolean {
  return field !== undefined && required.includes(field[0]) && field[1].default === undefined;
}
