import {
  ServerInfoToken,
  type KeptPicture,
  type KeptPictures,
  type OpenViews,
  type PluginDatabase,
  type ServerInfo,
  type ServerPluginContext,
  type ViewSchema,
} from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/sdk/shared';
import { formOptions, mostPictureBytes, pictureOptions, picturePath } from '../shared/index.ts';
import { daysOfReturn, type FormsOf } from './forms-of.ts';

const day = 24 * 60 * 60 * 1000;

interface PictureRow extends KeptPicture {
  readonly project_id: string;
}

/**
 * The banners and logos of forms. Only the options of forms reference a picture, so that copies of a form show the same one: it is
 * deleted when the last form drops it, or is deleted permanently.
 */
export class FormPictures {
  readonly #db: PluginDatabase;
  readonly #kept: KeptPictures;
  readonly #formsOf: FormsOf;
  readonly #info: ServerInfo;
  readonly #openViews: RegistryView<OpenViews>;

  constructor(ctx: ServerPluginContext, kept: KeptPictures, formsOf: FormsOf) {
    this.#db = ctx.db;
    this.#kept = kept;
    this.#formsOf = formsOf;
    this.#info = ctx.get(ServerInfoToken);
    this.#openViews = ctx.registry('openViews');
  }

  /** Stores a picture and returns its address. @throws TrellisError `PICTURE_KIND` or `PICTURE_LARGE` */
  async add(projectId: string, bytes: Uint8Array): Promise<string> {
    const picture = await this.#kept.keep(bytes, mostPictureBytes);
    const row = { ...picture, project_id: projectId, seen_at: Date.now() };
    await this.#db.write((unit) => unit.run(unit.table('picture').insert(row)));
    return picturePath + picture.token;
  }

  /** Whether visitors may read a picture now: as long as the link of a form that shows it is open. */
  async isOpen(token: string): Promise<boolean> {
    const picture = await this.#db.read((unit) =>
      unit.first<Pick<PictureRow, 'project_id'>>(unit.table('picture').where({ token }).select('project_id')),
    );
    if (picture === undefined) return false;
    for (const form of await this.#formsOf(picture.project_id)) {
      if (!tokensIn(form).includes(token)) continue;
      for (const open of this.#openViews.list()) if (await open.isOpen(form.id)) return true;
    }
    return false;
  }

  /** Whether a picture belongs to a project. */
  async isOf(projectId: string, token: string): Promise<boolean> {
    const found = await this.#db.read((unit) =>
      unit.first(unit.table('picture').where({ project_id: projectId, token }).select('token')),
    );
    return found !== undefined;
  }

  /** Removes a picture that a form dropped, unless another form of the project shows it, or it belongs to another project. */
  async letGo(projectId: string, address: string): Promise<void> {
    const token = tokenIn(address);
    if (token === undefined) return;
    const shown = await this.#shownIn(projectId);
    if (!shown.has(token)) await this.#remove({ project_id: projectId, token });
  }

  forgetProject(projectId: string): Promise<void> {
    return this.#remove({ project_id: projectId });
  }

  /** Removes the pictures that no form has shown for so long that none of those can be restored. */
  async sweep(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const owners = await this.#db.read((unit) =>
      unit.all<PictureRow>(unit.table('picture').distinct('project_id')),
    );
    const before = now - Math.max(daysOfReturn, this.#info.changeDays + 1) * day;
    for (const { project_id: projectId } of owners) {
      signal.throwIfAborted();
      const tokens = [...(await this.#shownIn(projectId))];
      if (tokens.length > 0)
        await this.#db.write((unit) =>
          unit.run(unit.table('picture').whereIn('token', tokens).update({ seen_at: now })),
        );
      await this.#remove({ project_id: projectId }, before);
    }
  }

  /** The tokens of the pictures that the forms of a project show. */
  async #shownIn(projectId: string): Promise<ReadonlySet<string>> {
    return new Set((await this.#formsOf(projectId)).flatMap(tokensIn));
  }

  async #remove(which: Partial<PictureRow>, seenBefore?: number): Promise<void> {
    const gone = await this.#db.write(async (unit) => {
      const some = () => {
        const query = unit.table('picture').where(which);
        return seenBefore === undefined ? query : query.where('seen_at', '<', seenBefore);
      };
      const rows = await unit.all<PictureRow>(some().select('ref'));
      if (rows.length > 0) await unit.run(some().delete());
      return rows;
    });
    for (const row of gone) await this.#kept.remove(row);
  }
}

/** The tokens of the pictures that a form shows. */
function tokensIn({ meta }: ViewSchema): readonly string[] {
  const options = formOptions(meta);
  return Object.values(pictureOptions).flatMap((option) => tokenIn(options[option]) ?? []);
}

/** Undefined for any other address. */
export function tokenIn(address: string): string | undefined {
  return address.startsWith(picturePath) ? address.slice(picturePath.length) : undefined;
}
