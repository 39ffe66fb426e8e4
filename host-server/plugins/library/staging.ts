import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defineErrors, type PluginManifest } from '@trellis/core';
import type { PluginProposal } from '@trellis/sdk/shared';
import { readPlugin, type FoundPlugin } from './found-plugin.ts';

const stagingErrors = defineErrors({
  PLUGIN_PROPOSAL_GONE: {
    status: 404,
    message: 'What was brought is not there any more: it is kept for an hour. Bring it again.',
  },
});

/** What is kept beside the files of a proposal; what hangs on the moment is found anew. */
export type StagedFacts = Pick<PluginProposal, 'bytes' | 'files' | 'sha256'> & {
  readonly id: string;
  readonly version: string;
  readonly source: 'file' | 'index';
  readonly publicKey?: string;
};

const keptForMs = 60 * 60 * 1000;

/**
 * Where archives wait for somebody's decision: on the same disk as the installed plugins, so that taking one over is one step, and
 * where every server on that disk finds it.
 */
export class PluginStaging {
  readonly #home: string;

  /** @param installedFolder begins with a dot below it, so that nobody takes it for a plugin. */
  constructor(installedFolder: string) {
    this.#home = join(installedFolder, '.staging');
  }

  /** @returns the ticket */
  async put(files: ReadonlyMap<string, Buffer>, facts: StagedFacts): Promise<string> {
    const ticket = randomBytes(16).toString('hex');
    try {
      for (const [path, content] of files) {
        const file = join(this.filesOf(ticket), ...path.split('/'));
        await mkdir(dirname(file), { recursive: true });
        // Through to the disk: what takes its place in one step must be whole.
        await writeFile(file, content, { flush: true });
      }
      await writeFile(join(this.#home, ticket, 'facts.json'), JSON.stringify(facts), { flush: true });
    } catch (error) {
      await this.remove(ticket);
      throw error;
    }
    return ticket;
  }

  filesOf(ticket: string): string {
    return join(this.#home, ticket, 'files');
  }

  /** @throws TrellisError `PLUGIN_PROPOSAL_GONE`. */
  async factsOf(ticket: string): Promise<StagedFacts> {
    try {
      if (!isTicket(ticket)) throw new Error('This is no ticket.');
      return JSON.parse(await readFile(join(this.#home, ticket, 'facts.json'), 'utf8')) as StagedFacts;
    } catch (error) {
      throw stagingErrors.create('PLUGIN_PROPOSAL_GONE', {}, error);
    }
  }

  /** What was proposed, read anew. @throws TrellisError `PLUGIN_PROPOSAL_GONE`. */
  async read(ticket: string): Promise<FoundPlugin & { readonly manifest: PluginManifest }> {
    const { id } = await this.factsOf(ticket);
    const found = await readPlugin({ id, folder: this.filesOf(ticket), origin: 'installed' }, 'plugin.json');
    if (found?.manifest === undefined) throw stagingErrors.create('PLUGIN_PROPOSAL_GONE');
    return { ...found, manifest: found.manifest };
  }

  /** Moves the files to their place in one step. The ticket stays until it is removed, so that they can be put back. */
  async take(ticket: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true });
    await rename(this.filesOf(ticket), to);
  }

  /** Takes what could not be put into use out of its place in one step; it waits for a decision again. */
  async putBack(ticket: string, from: string): Promise<void> {
    await rename(from, this.filesOf(ticket));
  }

  /** Whether a proposal is still kept, wherever its files are. */
  async waits(ticket: string): Promise<boolean> {
    return this.factsOf(ticket).then(
      () => true,
      () => false,
    );
  }

  /** Takes a folder out of its place in one step before its files go, so that none is ever half there. */
  async bin(folder: string): Promise<void> {
    const ticket = randomBytes(16).toString('hex');
    await mkdir(join(this.#home, ticket), { recursive: true });
    await rename(folder, this.filesOf(ticket));
    await this.remove(ticket);
  }

  async remove(ticket: string): Promise<void> {
    if (isTicket(ticket)) await rm(join(this.#home, ticket), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes what nobody decided about in time, and what a crash left behind. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#home).catch(() => [])) {
      const found = await stat(join(this.#home, name)).catch(() => undefined);
      if (found !== undefined && now - found.mtimeMs > keptForMs) await this.remove(name);
    }
  }
}

function isTicket(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
