import { messageOfError, useHost } from '@trellis/sdk/web';
import type { ChosenFolder } from '@trellis/sdk/web/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PluginEntity } from '@trellis/sdk/shared';
import type { OfferedProposal } from '../shared/index.ts';
import { folderBody } from './folder-body.ts';
import { inOwnWords, type TranslatedProposal } from './plugin-words.ts';

const proposals = '/api/v1/app-store/proposals';

/** What an installation is at. */
export type InstallStep =
  | { readonly kind: 'choose'; readonly problem?: string }
  /** `part` is how much of a file has been sent, from 0 to 1; undefined while nobody knows. */
  | { readonly kind: 'bringing'; readonly name: string; readonly part?: number }
  | { readonly kind: 'decide'; readonly proposal: TranslatedProposal; readonly problem?: string }
  | { readonly kind: 'installing'; readonly proposal: TranslatedProposal };

/** Brings a plugin from a file or the index, shows what it asks for, and installs it or gives it back. */
export function useInstall(onInstalled: (plugin: PluginEntity, proposal: OfferedProposal) => void) {
  const { api, t, invalidate } = useHost();
  const [step, setStep] = useState<InstallStep>({ kind: 'choose' });
  const way = useRef<AbortController>(undefined);
  const ticket = useRef<string>(undefined);

  /** What nobody decided about takes no place on the server. */
  const giveBack = useCallback(() => {
    way.current?.abort();
    const { current } = ticket;
    ticket.current = undefined;
    if (current !== undefined)
      void api.request({ method: 'DELETE', path: `${proposals}/${current}` }).catch(() => undefined);
  }, [api]);
  useEffect(() => giveBack, [giveBack]);

  async function bring(
    name: string,
    ask: (signal: AbortSignal, onProgress: (part: number) => void) => Promise<OfferedProposal>,
  ): Promise<void> {
    giveBack();
    const { signal } = (way.current = new AbortController());
    setStep({ kind: 'bringing', name });
    try {
      const brought = await ask(signal, (part) => {
        if (!signal.aborted) setStep({ kind: 'bringing', name, part });
      });
      ticket.current = brought.ticket;
      const proposal = await inOwnWords(api, brought);
      if (signal.aborted) giveBack();
      else setStep({ kind: 'decide', proposal });
    } catch (error) {
      if (!signal.aborted) setStep({ kind: 'choose', problem: messageOfError(error, t) });
    }
  }

  function bringFile(file: File): Promise<void> {
    return bring(file.name, (signal, onProgress) => {
      const body = new FormData();
      body.append('archive', file, file.name);
      return api.request({ method: 'POST', path: proposals, body, signal, onProgress });
    });
  }

  function bringFolder({ name, files }: ChosenFolder): Promise<void> {
    return bring(name, async (signal, onProgress) => {
      const body = await folderBody(await files());
      signal.throwIfAborted();
      return api.request({
        method: 'POST',
        path: '/api/v1/app-store/folder-proposals',
        body,
        signal,
        onProgress,
      });
    });
  }

  function bringFromIndex(plugin: { readonly id: string; readonly version: string; readonly name: string }) {
    const { id, version, name } = plugin;
    const path = '/api/v1/app-store/index/proposals';
    return bring(name, (signal) => api.request({ method: 'POST', path, body: { id, version }, signal }));
  }

  async function install(proposal: TranslatedProposal): Promise<void> {
    setStep({ kind: 'installing', proposal });
    // Closing the dialog meanwhile must not take away what is being installed.
    ticket.current = undefined;
    const path = `${proposals}/${proposal.ticket}/install`;
    try {
      const { unagreed: consent, formerSigner } = proposal;
      // The form cannot be sent before somebody confirmed both.
      const body = { consent, ...(formerSigner && { formerSigner: formerSigner.publicKey }) };
      const plugin = await api.request<PluginEntity>({ method: 'POST', path, body });
      onInstalled(plugin, proposal);
    } catch (error) {
      ticket.current = proposal.ticket;
      if (way.current?.signal.aborted === true) giveBack();
      setStep({ kind: 'decide', proposal, problem: messageOfError(error, t) });
    } finally {
      invalidate(['plugins']);
    }
  }

  function back(): void {
    giveBack();
    setStep({ kind: 'choose' });
  }

  return { step, bringFile, bringFolder, bringFromIndex, install, back };
}
