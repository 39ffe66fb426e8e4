import type { FoundView, TableSchema, ViewColumnSchema } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { FieldOptions, FormOptions } from '../shared/index.ts';

type Options = Readonly<Record<string, unknown>>;

/** What a client may set of a form, with the names of the v1 API; our other options are in `meta`. */
export interface FormBody {
  readonly heading?: string | null;
  readonly subheading?: string | null;
  readonly success_msg?: string | null;
  readonly redirect_url?: string | null;
  readonly email?: string | Options | null;
  readonly submit_another_form?: boolean | 0 | 1 | null;
  readonly show_blank_form?: boolean | 0 | 1 | null;
  readonly banner_image_url?: string | null;
  readonly logo_url?: string | null;
  readonly meta?: Options | string | null;
}

const text: JsonSchema = { type: ['string', 'null'], maxLength: 4000 };
const flag: JsonSchema = { enum: [true, false, 0, 1, null] };
const options: JsonSchema = { type: ['object', 'string', 'null'], maxLength: 60_000 };

export const formProperties: Readonly<Record<string, JsonSchema>> = {
  heading: text,
  subheading: text,
  success_msg: text,
  redirect_url: text,
  email: options,
  submit_another_form: flag,
  show_blank_form: flag,
  banner_image_url: text,
  logo_url: text,
  meta: options,
};

/** A column of a form as a client may set it. */
export interface FormColumnBody {
  readonly label?: string | null;
  readonly help?: string | null;
  readonly description?: string | null;
  readonly required?: boolean | 0 | 1 | null;
  readonly show?: boolean | 0 | 1;
  readonly order?: number;
  readonly meta?: Options | string | null;
}

export const formColumnProperties: Readonly<Record<string, JsonSchema>> = {
  label: text,
  help: text,
  description: text,
  required: flag,
  show: flag,
  order: { type: 'number' },
  meta: options,
};

/** Names of the v1 API, with ours. */
const names = {
  heading: 'heading',
  subheading: 'description',
  success_msg: 'successMessage',
  redirect_url: 'redirectUrl',
  banner_image_url: 'bannerUrl',
  logo_url: 'logoUrl',
} as const;

/** Clients send objects as texts too; anything else counts as none. */
function objectIn(value: unknown): Options | undefined {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? (value as Options) : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return objectIn(typeof parsed === 'string' ? undefined : parsed);
  } catch {
    return undefined; // A text that is no JSON contains no options.
  }
}

/** A form in the form of the v1 API, with its columns. */
export function toFormEntity({ table, view }: FoundView): object {
  const meta = (view.meta ?? {}) as Partial<FormOptions>;
  return {
    base_id: table.baseId,
    project_id: table.projectId,
    fk_view_id: view.id,
    heading: meta.heading || view.title,
    subheading: meta.description || null,
    success_msg: meta.successMessage || null,
    redirect_url: meta.redirectUrl || null,
    redirect_after_secs: null,
    email: JSON.stringify(meta.emails ?? {}),
    submit_another_form: meta.submitsAnother === true,
    show_blank_form: meta.showsBlank === true,
    uuid: null,
    banner_image_url: meta.bannerUrl || null,
    logo_url: meta.logoUrl || null,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
    meta,
    columns: view.columns.map((column) => toFormColumn(column, table)),
  };
}

function toFormColumn(column: ViewColumnSchema, table: TableSchema): object {
  const meta = (column.meta ?? {}) as Partial<FieldOptions>;
  return {
    id: column.id,
    fk_view_id: column.viewId,
    fk_column_id: column.columnId,
    base_id: table.baseId,
    project_id: table.projectId,
    uuid: null,
    label: meta.label || null,
    help: meta.help || null,
    description: meta.help || null,
    required: meta.required === true,
    show: column.show,
    order: column.order,
    meta,
    created_at: column.createdAt,
    updated_at: column.updatedAt,
  };
}

/** The options in a body, merged over the saved ones. */
export function toFormOptions(body: FormBody, saved: Options): Options {
  const emails = objectIn(body.email);
  const wanted: Record<string, unknown> = { ...saved, ...objectIn(body.meta) };
  for (const [name, ours] of Object.entries(names)) {
    const value = body[name as keyof typeof names];
    if (value !== undefined) wanted[ours] = value ?? '';
  }
  if (body.email !== undefined) wanted.emails = emails ?? {};
  if (body.submit_another_form !== undefined) wanted.submitsAnother = Boolean(body.submit_another_form);
  if (body.show_blank_form !== undefined) wanted.showsBlank = Boolean(body.show_blank_form);
  return wanted;
}

/** The options of a field in a body; undefined if it contains none. */
export function toFieldOptions(body: FormColumnBody, saved: Options): Options | undefined {
  const { label, help = body.description, required, meta } = body;
  const wanted: Options = {
    ...objectIn(meta),
    ...(label !== undefined && { label: label ?? '' }),
    ...(help !== undefined && { help: help ?? '' }),
    ...(required !== undefined && { required: Boolean(required) }),
  };
  return Object.keys(wanted).length === 0 ? undefined : { ...saved, ...wanted };
}
