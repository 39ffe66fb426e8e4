import type { ServerColumnType } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { newId } from '../../runtime/ids.ts';

/** The input for a column that exists only in the metadata. */
export interface VirtualRowInput {
  readonly projectId: string;
  readonly tableId: string;
  readonly title: string;
  readonly order: number;
  readonly now: number;
  readonly meta?: ColumnRow['meta'] | undefined;
  readonly description?: string | undefined;
  /** The link that it shows. */
  readonly linkId?: string | undefined;
  /** True for columns that are hidden at first, such as links that only lead to a junction table. */
  readonly system?: boolean | undefined;
}

/** The row of a column that has no cells in the database. */
export function virtualRow(type: Pick<ServerColumnType, 'id' | 'fallback'>, of: VirtualRowInput): ColumnRow {
  return {
    id: newId('column'),
    project_id: of.projectId,
    table_id: of.tableId,
    title: of.title,
    column_name: '',
    uidt: type.id,
    storage: 'virtual',
    native_type: '',
    length: null,
    precision: null,
    scale: null,
    fallback: type.fallback,
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
    description: of.description ?? null,
    meta: of.meta ?? null,
    link_id: of.linkId ?? null,
    sort_order: of.order,
    parked_at: null,
    created_at: of.now,
    updated_at: of.now,
  };
}
