import { randomBytes } from 'node:crypto';
import type { PluginDatabase, PluginUnit, StoredFile } from '@trellis/sdk/server';

/** An uploaded file. */
export interface FileRecord {
  readonly id: string;
  /** The reference of the bytes for `Files`. */
  readonly ref: string;
  /** The sender's name for it. */
  readonly name: string;
  readonly type: string;
  /** The folders of its address, encoded, with a slash at the end; empty for none. */
  readonly folder: string;
  /** Bytes. */
  readonly size: number;
  /** Undefined if the upload named no project and no row holds it yet. */
  readonly projectId: string | undefined;
  readonly uploaderId: string;
}

/** The uploader and the target. */
export interface UploadPlace {
  readonly folder: string;
  readonly projectId: string | undefined;
  readonly uploaderId: string;
  /** The origin of a visitor's upload, as a digest of at most 40 characters. */
  readonly sentFrom?: string;
}

/** Uploads before a given time that no row ever held. */
export interface Waiting {
  readonly before: number;
  /** Only those of visitors. */
  readonly isOfStrangers: boolean;
}

interface FileRow {
  readonly id: string;
  readonly ref: string;
  readonly name: string;
  readonly type: string;
  readonly folder: string;
  readonly bytes: number | string;
  readonly project_id: string | null;
  readonly uploader_id: string;
}

/** Ids per statement. */
const batch = 400;

/** The stored properties of files, without their bytes. Times are milliseconds since 1970. */
export class FileStore {
  readonly #db: PluginDatabase;
  readonly #now: () => number;

  constructor(db: PluginDatabase, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  async add(stored: StoredFile, place: UploadPlace): Promise<FileRecord> {
    // 128 random bits: the address cannot be guessed.
    const id = randomBytes(16).toString('base64url');
    const { ref, name, type, size } = stored;
    await this.#db.write((unit) =>
      unit.run(
        unit.table('file').insert({
          id,
          ref,
          name,
          type,
          folder: place.folder,
          bytes: size,
          project_id: place.projectId ?? null,
          uploader_id: place.uploaderId,
          sent_from: place.sentFrom ?? null,
          created_at: this.#now(),
        }),
      ),
    );
    return { id, ref, name, type, size, ...place };
  }

  /** The existing ones, by id. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, FileRecord>> {
    const rows = await this.#db.read(async (unit) => {
      const found: FileRow[] = [];
      for (const part of parts(ids))
        found.push(
          ...(await unit.all<FileRow>(unit.table('file').whereIn('id', part).whereNull('doomed_at'))),
        );
      return found;
    });
    return new Map(rows.map((row) => [row.id, recordOf(row)]));
  }

  /**
   * Records that rows of a project are about to hold these files, and returns the ids of those that then belong to the project: not
   * one that was marked for deletion, or that another project took meanwhile. They keep waiting until a write has brought them into
   * a row, at most for another day, since refused writes bring nothing.
   */
  async attach(ids: readonly string[], projectId: string): Promise<ReadonlySet<string>> {
    const change = { project_id: projectId, claimed_at: this.#now(), unseen_since: null };
    const attached: { id: string }[] = [];
    await this.#inParts(ids, async (unit, part) => {
      const here = unit.table('file').whereIn('id', part).whereNull('doomed_at');
      const isFree = here
        .clone()
        .where((of) => void of.whereNull('project_id').orWhere({ project_id: projectId }));
      await unit.run(isFree.update(change));
      attached.push(...(await unit.all<{ id: string }>(here.where({ project_id: projectId }).select('id'))));
    });
    return new Set(attached.map(({ id }) => id));
  }

  /** Records that cells of a project held these files at a given time, even if their arrival was not recorded. */
  async see(ids: readonly string[], { projectId, at }: { projectId: string; at: number }): Promise<void> {
    const change = { seen_at: at, unseen_since: null };
    await this.#inParts(ids, (unit, part) =>
      unit.run(
        unit
          .table('file')
          .whereIn('id', part)
          .where({ project_id: projectId })
          .whereNull('doomed_at')
          .update(change),
      ),
    );
  }

  /** Marks a project's files as unused that were not found since a scan of all its cells began. */
  async missed(projectId: string, since: number): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('file')
          .where({ project_id: projectId })
          .where('seen_at', '<', since)
          .whereNull('unseen_since')
          .update({ unseen_since: since }),
      ),
    );
  }

  /** The bytes of a person's uploads, in total or from one origin, that no row holds. */
  async waitingBytes({
    uploaderId,
    sentFrom,
  }: Pick<UploadPlace, 'uploaderId' | 'sentFrom'>): Promise<number> {
    const by = { uploader_id: uploaderId, ...(sentFrom !== undefined && { sent_from: sentFrom }) };
    const sum = await this.#db.read((unit) =>
      unit.first<{ bytes: number | string | null }>(
        unit.table('file').where(by).whereNull('seen_at').sum({ bytes: 'bytes' }),
      ),
    );
    return Number(sum?.bytes ?? 0);
  }

  /** The projects whose cells hold files. */
  async projects(): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ project_id: string }>(
        unit.table('file').whereNotNull('project_id').whereNotNull('seen_at').distinct('project_id'),
      ),
    );
    return rows.map((row) => row.project_id);
  }

  async projectsWaiting(waiting: Waiting): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ project_id: string }>(
        waitingOf(unit, waiting).whereNotNull('project_id').distinct('project_id'),
      ),
    );
    return rows.map((row) => row.project_id);
  }

  /** Marks uploads for deletion, except those of some projects. */
  async doomWaiting(waiting: Waiting, butOf: readonly string[]): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        waitingOf(unit, waiting)
          .where((of) => void of.whereNull('project_id').orWhereNotIn('project_id', butOf))
          .update({ doomed_at: this.#now() }),
      ),
    );
  }

  /** Marks a project's files for deletion that no cell has held since a given time. */
  async doomUnseen(projectId: string, before: number): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('file')
          .where({ project_id: projectId })
          .where('unseen_since', '<', before)
          .whereNull('doomed_at')
          .update({ doomed_at: this.#now() }),
      ),
    );
  }

  /** Marks all files of a project for deletion. */
  async doomProject(projectId: string): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('file')
          .where({ project_id: projectId })
          .whereNull('doomed_at')
          .update({ doomed_at: this.#now() }),
      ),
    );
  }

  /** Some of the files that are marked for deletion. */
  async doomed(after: string): Promise<readonly Pick<FileRecord, 'id' | 'ref'>[]> {
    return this.#db.read((unit) =>
      unit.all<FileRow>(
        unit.table('file').whereNotNull('doomed_at').where('id', '>', after).orderBy('id').limit(batch),
      ),
    );
  }

  async forget(id: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('file').where({ id }).delete()));
  }

  async #inParts(
    ids: readonly string[],
    work: (unit: PluginUnit, part: readonly string[]) => Promise<unknown>,
  ): Promise<void> {
    for (const part of parts(ids)) await this.#db.write((unit) => work(unit, part));
  }
}

function waitingOf(unit: PluginUnit, { before, isOfStrangers }: Waiting) {
  const files = unit.table('file');
  return (isOfStrangers ? files.whereNotNull('sent_from') : files)
    .whereNull('seen_at')
    .where('created_at', '<', before)
    .where((of) => void of.whereNull('claimed_at').orWhere('claimed_at', '<', before))
    .whereNull('doomed_at');
}

function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const unique = [...new Set(ids)];
  return Array.from({ length: Math.ceil(unique.length / batch) }, (_, at) =>
    unique.slice(at * batch, (at + 1) * batch),
  );
}

function recordOf(row: FileRow): FileRecord {
  const { id, ref, name, type, folder } = row;
  return {
    id,
    ref,
    name,
    type,
    folder,
    size: Number(row.bytes),
    projectId: row.project_id ?? undefined,
    uploaderId: row.uploader_id,
  };
}
