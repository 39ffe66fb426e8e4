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

/** The facts stored with the files of a proposal; facts that can change are determined again. */
export type StagedFacts = Pick<PluginProposal, 'bytes' | 'files' | 'sha256'> & {
  readonly id: string;
  readonly version: string;
  readonly source: 'file' | 'index';
  readonly publicKey?: string;
};

const keptForMs = 60 * 60 * 1000;

/**
 * The folder where archives wait for a decision. It is on the same disk as the installed plugins, so that a proposal is moved
 * there in one step, and every server on that disk finds it.
 */
export class PluginStaging {
  readonly #home: string;

  /** @param installedFolder the staging folder is below it; its name begins with a dot, so that it is not taken for a plugin. */
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
        // Flushed to the disk: a file must be complete before it is moved to its place.
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

  /** Reads the files of a proposal. @throws TrellisError `PLUGIN_PROPOSAL_GONE`. */
  async read(ticket: string): Promise<FoundPlugin & { readonly manifest: PluginManifest }> {
    const { id } = await this.factsOf(ticket);
    const found = await readPlugin({ id, folder: this.filesOf(ticket), origin: 'installed' }, 'plugin.json');
    if (found?.manifest === undefined) throw stagingErrors.create('PLUGIN_PROPOSAL_GONE');
    return { ...found, manifest: found.manifest };
  }

  /** Moves the files to their place in one step. The ticket stays until it is removed, so that they can be moved back. */
  async take(ticket: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true });
    await rename(this.filesOf(ticket), to);
  }

  /** Moves files that could not be put into use back in one step; the proposal waits for a decision again. */
  async putBack(ticket: string, from: string): Promise<void> {
    await rename(from, this.filesOf(ticket));
  }

  /** Whether a proposal still exists, wherever its files are. */
  async waits(ticket: string): Promise<boolean> {
    return this.factsOf(ticket).then(
      () => true,
      () => false,
    );
  }

  /** Moves a folder away in one step before deleting it, so that it is never half there. */
  async bin(folder: string): Promise<void> {
    const ticket = randomBytes(16).toString('hex');
    await mkdir(join(this.#home, ticket), { recursive: true });
    await rename(folder, this.filesOf(ticket));
    await this.remove(ticket);
  }

  async remove(ticket: string): Promise<void> {
    if (isTicket(ticket)) await rm(join(this.#home, ticket), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes proposals that nobody decided about in time, and leftovers of crashes. */
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
