import type { FoundView, TableSchema } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';

type Options = Readonly<Record<string, unknown>>;

/** What a client may set of a gallery; further properties of the v1 API are ignored. */
export interface GalleryBody {
  readonly fk_cover_image_col_id?: string | null;
  readonly meta?: Options | null;
}

export const galleryProperties: Readonly<Record<string, JsonSchema>> = {
  fk_cover_image_col_id: { type: ['string', 'null'], maxLength: 40 },
  meta: { type: ['object', 'null'] },
};

/** The column of the cover: the chosen one while it exists, else the first with files; undefined if there is none. */
export function coverOf({ coverId }: Options, table: TableSchema): string | undefined {
  if (coverId === '') return undefined;
  if (typeof coverId === 'string' && table.columnById.has(coverId)) return coverId;
  return table.columns.find(({ type }) => type === 'Attachment')?.id;
}

/** A gallery in the form of the v1 API. */
export function toGalleryEntity({ table, view }: FoundView): object {
  return {
    base_id: table.baseId,
    project_id: table.projectId,
    fk_view_id: view.id,
    next_enabled: null,
    prev_enabled: null,
    cover_image_idx: null,
    fk_cover_image_col_id: coverOf(view.meta ?? {}, table) ?? null,
    cover_image: null,
    restrict_types: null,
    restrict_size: null,
    restrict_number: null,
    public: null,
    dimensions: null,
    responsive_columns: null,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
    meta: view.meta ?? {},
  };
}

/** The options in a body, merged over the saved ones. */
export function toGalleryOptions(
  { fk_cover_image_col_id: coverId, meta }: GalleryBody,
  saved: Options,
): Options {
  return { ...saved, ...meta, ...(coverId !== undefined && { coverId: coverId ?? '' }) };
}
