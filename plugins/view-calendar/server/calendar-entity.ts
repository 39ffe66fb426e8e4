import type { FoundView } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';

type Options = Readonly<Record<string, unknown>>;

/** What a client may set of a calendar. */
export interface CalendarBody {
  readonly meta?: Options | null;
}

export const calendarProperties: Readonly<Record<string, JsonSchema>> = {
  meta: { type: ['object', 'null'] },
};

/** A calendar in the form of the API. */
export function toCalendarEntity({ table, view }: FoundView): object {
  return {
    base_id: table.baseId,
    project_id: table.projectId,
    fk_view_id: view.id,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
    meta: view.meta ?? {},
  };
}

/** The options in a body, merged over the saved ones. */
export function toCalendarOptions({ meta }: CalendarBody, saved: Options): Options {
  return { ...saved, ...meta };
}
