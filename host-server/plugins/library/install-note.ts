import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Consent } from './consent.ts';

/** Where a version came from. */
export interface InstalledVersion {
  /** ISO 8601. */
  readonly installedAt: string;
  readonly source: 'file' | 'index';
  /** SHA-256 of the archive in hexadecimal. */
  readonly sha256: string;
  /** The raw key that signed it, in base64; absent for an unsigned one. */
  readonly signer?: string;
}

/** The decisions about the versions of a plugin; the note is stored beside them. */
export interface InstallNote {
  /** The version that runs; without it the newest one does. */
  readonly inUse?: string;
  /** The newest version that was there when a super admin chose an older one; the choice is no cause for remarks. */
  readonly passedOver?: string | undefined;
  readonly versions?: Readonly<Record<string, InstalledVersion>>;
  /** What a super admin agreed to. */
  readonly consent?: Consent;
  /** The version in use before manifests listed hooks; it may go on tapping hooks that it does not list. */
  readonly unlistedHooks?: string;
  /** An unfinished change of the version in use: it is under way, or the server ended during it. */
  readonly pending?: PendingChange;
}

/** The facts that a start of the server needs to finish or revert a change. */
export interface PendingChange {
  /** The version that is put into use. */
  readonly version: string;
  /** The version that was in use; absent for a plugin that was not there. */
  readonly former?: string;
  /** Whether it ran. */
  readonly wasOn: boolean;
  /** The proposal that brings the version; undefined for a version that is already on the server. */
  readonly ticket?: string;
}

const fileName = 'install.json';

/** Reads the note of a plugin. A note that cannot be read counts as empty, so the newest version runs. */
export async function readInstallNote(home: string): Promise<InstallNote> {
  try {
    const note: unknown = JSON.parse(await readFile(join(home, fileName), 'utf8'));
    if (typeof note !== 'object' || note === null) return {};
    const { consent, ...rest } = note as StoredNote;
    if (consent === undefined) return rest;
    return { ...rest, consent: isOfPathsOnly(consent) ? { paths: consent } : consent };
  } catch {
    return {};
  }
}

/** The note as stored. Before other kinds were asked about, a consent was a list of product paths. */
type StoredNote = Omit<InstallNote, 'consent'> & { readonly consent?: Consent | readonly string[] };

function isOfPathsOnly(consent: Consent | readonly string[]): consent is readonly string[] {
  return Array.isArray(consent);
}

/** Replaces the note in one step, so that a crash leaves the old one. */
export async function writeInstallNote(home: string, note: InstallNote): Promise<void> {
  await mkdir(home, { recursive: true });
  const file = join(home, fileName);
  await writeFile(`${file}.new`, `${JSON.stringify(note, undefined, 2)}\n`);
  await rename(`${file}.new`, file);
}
