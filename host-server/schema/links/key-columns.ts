import type { Dialect } from '../../dialects/dialect.ts';
import type { ColumnSpec } from '../../dialects/schema/schema-changer.ts';
import { parseNativeType } from '../../dialects/types/default.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';
import { newId } from '../../runtime/ids.ts';

/** A nullable column that holds the values of a key in another table. */
export function keySpec(
  name: string,
  key: { readonly storage: ColumnSpec['kind']; readonly nativeType: string },
  dialect: Dialect,
): ColumnSpec {
  const { name: native, arguments: sizes } = parseNativeType(key.nativeType);
  const [size, scale] = sizes;
  return {
    name,
    kind: key.storage,
    ...(dialect.types.knows(native) && { native }),
    ...(key.storage === 'string' && { length: size }),
    ...(key.storage === 'decimal' && { precision: size, scale }),
    nullable: true,
  };
}

interface KeyPlace {
  readonly table: { readonly id: string; readonly projectId: string };
  readonly title: string;
  readonly order: number;
  readonly now: number;
  readonly dialect: Dialect;
}

/** The row of the metadata for a column of a foreign key. */
export function keyRow(spec: ColumnSpec, key: { readonly nativeType: string }, place: KeyPlace): ColumnRow {
  return {
    id: newId('column'),
    project_id: place.table.projectId,
    table_id: place.table.id,
    title: place.title,
    column_name: spec.name,
    uidt: foreignKeyType,
    storage: spec.kind,
    native_type: place.dialect.types.nativeFor(spec.kind, spec),
    length: spec.length === undefined ? null : String(spec.length),
    precision: spec.precision === undefined ? null : String(spec.precision),
    scale: spec.scale === undefined ? null : String(spec.scale),
    fallback: 'SingleLineText',
    primary_key: false,
    key_position: null,
    auto_increment: false,
    auto_update: false,
    required: false,
    is_unsigned: false,
    is_unique: false,
    display: false,
    system: false,
    computed: false,
    default_value: null,
    description: null,
    meta: null,
    link_id: null,
    sort_order: place.order,
    parked_at: null,
    created_at: place.now,
    updated_at: place.now,
  };
}
