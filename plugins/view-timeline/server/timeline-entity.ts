import type { FoundView } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';

type Options = Readonly<Record<string, unknown>>;

/** What a client may set of a timeline. */
interface TimelineBody {
  readonly meta?: Options | null;
}

export const timelineProperties: Readonly<Record<string, JsonSchema>> = {
  meta: { type: ['object', 'null'] },
};

/** A timeline in the form of the API. */
export function toTimelineEntity({ table, view }: FoundView): object {
  const { id, meta, createdAt, updatedAt } = view;
  return {
    fk_view_id: id,
    project_id: table.projectId,
    base_id: table.baseId,
    meta: meta ?? {},
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** The options in a body, merged over the saved ones. */
export const toTimelineOptions = ({ meta }: TimelineBody, saved: Options): Options => ({ ...saved, ...meta });
