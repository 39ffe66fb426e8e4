import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import { newId } from '../../runtime/ids.ts';

export interface LinkColumnPlace {
  readonly projectId: string;
  readonly tableId: string;
  readonly order: number;
  readonly now: number;
}

/** The column that shows one side of a link; it has no cells in the database. */
export function linkColumn(
  of: {
    readonly type: string;
    readonly title: string;
    readonly link: Pick<LinkRow, 'id'>;
    /** For the ways to a junction table, which people see as one way across it. */
    readonly system?: boolean;
  },
  place: LinkColumnPlace,
): ColumnRow {
  return virtualColumn({ type: of.type, title: of.title, linkId: of.link.id, system: of.system }, place);
}

/** A column that has no cells in the database. */
export function virtualColumn(
  of: {
    readonly type: string;
    readonly title: string;
    readonly fallback?: string;
    readonly linkId?: string;
    readonly system?: boolean | undefined;
    readonly meta?: Readonly<Record<string, unknown>> | null;
  },
  place: LinkColumnPlace,
): ColumnRow {
  return {
    id: newId('column'),
    project_id: place.projectId,
    table_id: place.tableId,
    title: of.title,
    column_name: '',
    uidt: of.type,
    storage: 'virtual',
    native_type: '',
    length: null,
    precision: null,
    scale: null,
    fallback: of.fallback ?? 'SingleLineText',
    primary_key: false,
    key_position: null,
    auto_increment: false,
    auto_update: false,
    required: false,
    is_unsigned: false,
    is_unique: false,
    display: false,
    system: of.system ?? false,
    computed: false,
    default_value: null,
    meta: of.meta ?? null,
    link_id: of.linkId ?? null,
    sort_order: place.order,
    parked_at: null,
    created_at: place.now,
    updated_at: place.now,
  };
}
