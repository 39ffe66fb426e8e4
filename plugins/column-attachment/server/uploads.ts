import type { AttachedFile } from '@trellis/sdk/shared';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  addressRange,
  type AccessService,
  type Files,
  type Principal,
  type RouteRequest,
  type SchemaStore,
  type TableSchema,
  type ReceivedFor,
} from '@trellis/sdk/server';
import { attachment, fileProblem, megabyte, tidyTitle, type AttachmentOptions } from '../shared/index.ts';
import { attachedFile, folderOf } from './addresses.ts';
import { fileErrors, refusal } from './file-errors.ts';
import type { FileStore, UploadPlace } from './file-store.ts';
import { headBytes, mediaTypeOf } from './media-type.ts';
import { withHead } from './with-head.ts';

/** The services that uploads use. */
export interface UploadServices {
  readonly access: AccessService;
  readonly schema: SchemaStore;
  readonly files: Files;
  readonly store: FileStore;
  /** The public address of the server; empty if it is not set. */
  site(): string;
  /** The most bytes of a file. */
  limit(): number;
}

/** The target of a call's files, with the column if the path names one. */
export interface UploadTarget {
  readonly place: UploadPlace;
  readonly column: { readonly title: string; readonly options: AttachmentOptions } | undefined;
  /** The most bytes of a file; the server's limit by default. */
  readonly limit?: number;
}

/** A file as sent. */
export interface ReceivedFile {
  readonly name: string;
  readonly content: Readable;
}

/** The most bytes of one account's files that no row holds yet. */
const mostWaiting = 2000 * megabyte;
/** The same for visitors of one link: per range of addresses, and in total, so that the disk does not fill up. */
const mostFromRange = 500 * megabyte;
const mostByLink = 20_000 * megabyte;
/** The size of a multipart body besides its files. */
const margin = megabyte;

/** The most bytes of a multipart body for a given file limit. */
export const bodyLimitOf = (largestFile: number): number => largestFile + margin;

/** Stores uploaded files, with the type determined from their content. */
export class Uploads {
  readonly #services: UploadServices;

  constructor(services: UploadServices) {
    this.#services = services;
  }

  /**
   * Checks whether the caller may upload to a path, which is `noco/<project>/<table>/<column>`, each by title or id, or any other
   * one: the files then belong to the project whose row first holds them.
   *
   * @throws TrellisError 404 for a project of which the caller is no member, 403 for one whose rows the caller may not change.
   */
  async target(
    path: string,
    permission: 'upload' | 'uploadViaURL',
    { principal, id }: Pick<RouteRequest, 'principal' | 'id'>,
  ): Promise<UploadTarget> {
    const { access, schema } = this.#services;
    const [root, project, table, column] = path.split('/').filter((name) => name !== '');
    const place = { folder: folderOf(path), uploaderId: principal.id };
    await this.#assertRoom(place);
    if (root !== 'noco' || project === undefined) {
      if (!mayUploadAnywhere(principal)) throw fileErrors.create('UPLOAD_NEEDS_PROJECT');
      return { place: { ...place, projectId: undefined }, column: undefined };
    }
    // An unknown id belongs to no project, and answers like a project of others.
    const projectId = (await access.locateProject(project)) ?? '';
    const scope = await access.scopeFor(principal, projectId, id);
    scope.require(permission);
    const found = table === undefined ? undefined : await schema.table(scope, table);
    if (found !== undefined) scope.inTable(found.id).require(permission);
    return { place: { ...place, projectId }, column: columnOf(found, column) };
  }

  /** The target of a visitor's file for a cell. */
  async received({ projectId, tableId, column, credentialId, address }: ReceivedFor): Promise<UploadTarget> {
    const uploaderId = sentBy(credentialId);
    const sentFrom = rangeDigest(credentialId, address);
    await this.#assertRoomOfStrangers({ uploaderId, sentFrom }, mostFromRange);
    await this.#assertRoomOfStrangers({ uploaderId }, mostByLink);
    const folder = folderOf(`noco/${projectId}/${tableId}/${column.id}`);
    return {
      place: { folder, uploaderId, projectId, sentFrom },
      column: { title: column.title, options: optionsOf(column.meta) },
    };
  }

  async #assertRoom({ uploaderId }: Pick<UploadPlace, 'uploaderId'>): Promise<void> {
    if ((await this.#services.store.waitingBytes({ uploaderId })) >= mostWaiting)
      throw fileErrors.create('TOO_MANY_WAITING', { megabytes: mostWaiting / megabyte });
  }

  async #assertRoomOfStrangers(
    sender: Pick<UploadPlace, 'uploaderId' | 'sentFrom'>,
    most: number,
  ): Promise<void> {
    if ((await this.#services.store.waitingBytes(sender)) >= most)
      throw fileErrors.create('TOO_MANY_SENT', { megabytes: most / megabyte });
  }

  /**
   * Stores one file.
   *
   * @throws TrellisError `FILE_REFUSED`, `FILE_OVERSIZED`, and the errors of `Files`.
   */
  async keep(
    received: ReceivedFile,
    { place, column, limit = this.#services.limit() }: UploadTarget,
    signal: AbortSignal,
  ): Promise<AttachedFile> {
    const { files, store, site } = this.#services;
    const name = nameOf(received.name);
    const { head, content } = await withHead(received.content, headBytes);
    const facts = { name, type: mediaTypeOf(head, name) };
    const problem = column && fileProblem(facts, column.options);
    if (column !== undefined && problem !== undefined) {
      content.destroy();
      throw refusal(name, column.title, problem);
    }
    const own = (column?.options.maximumMegabytes ?? 0) * megabyte;
    const most = own === 0 ? limit : Math.min(own, limit);
    const stored = await files.put(content, facts, { limit: most, signal }).catch((error: unknown) => {
      const isTooLarge = (error as { readonly code?: unknown }).code === 'FILE_TOO_LARGE';
      if (!isTooLarge) throw error;
      throw fileErrors.create('FILE_OVERSIZED', { title: name, megabytes: most / megabyte }, error);
    });
    try {
      return attachedFile(await store.add(stored, place), name, site());
    } catch (error) {
      await files.remove(stored.ref).catch(() => undefined);
      throw error;
    }
  }
}

const uploadingRoles: readonly (Principal['maximumRole'] | undefined)[] = [
  undefined,
  'owner',
  'creator',
  'editor',
];

/**
 * Accounts that may create projects may upload before they choose one, except with credentials that are limited to some projects,
 * or to a role that may not upload.
 */
function mayUploadAnywhere(principal: Principal): boolean {
  const { kind, accountRoles, maximumRole, onlyProjects, scopeRules = [] } = principal;
  const isAccount = kind === 'user' || kind === 'token';
  const isLimited =
    onlyProjects !== undefined || scopeRules.length > 0 || !uploadingRoles.includes(maximumRole);
  return isAccount && !isLimited && accountRoles.some((role) => role === 'user' || role === 'super');
}

function columnOf(table: TableSchema | undefined, name: string | undefined): UploadTarget['column'] {
  const column = table?.columns.find(({ id, title }) => id === name || title === name);
  if (column?.type !== attachment.id) return undefined;
  return { title: column.title, options: optionsOf(column.meta) };
}

function optionsOf(meta: Readonly<Record<string, unknown>> | undefined): AttachmentOptions {
  return { ...attachment.options?.defaults, ...meta } as AttachmentOptions;
}

/** The stored uploader of a visitor's file: account ids have another form. */
const sentBy = (credentialId: string): string => `by:${credentialId}`;

/** The address range of a visitor. The digest keeps the address itself out of the database. */
function rangeDigest(credentialId: string, address: string): string {
  return createHash('sha256')
    .update(JSON.stringify([credentialId, addressRange(address)]))
    .digest('hex')
    .slice(0, 40);
}

/** The stored uploader for a principal. */
export function senderOf({ kind, id, credentialId }: Principal): string {
  return kind === 'sharedView' ? sentBy(credentialId ?? '') : id;
}

/** A name without folders: old browsers send whole local paths. */
function nameOf(sent: string): string {
  const name = tidyTitle(sent.replace(/^.*[/\\]/s, ''));
  return /^\.*$/.test(name) ? 'file' : name;
}
