export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** How a settings form shows a field. */
export interface UiHints {
  /** The id of the control; the form engine knows the ids. */
  readonly widget?: string;
  /** Lower comes first. */
  readonly order?: number;
  readonly group?: string;
  readonly placeholder?: string;
  readonly help?: string;
  /** Labels for the values of `enum`, in the same order. */
  readonly labels?: readonly string[];
  /**
   * Whether the setting decides where secrets are sent: when it changes, stored secrets must be entered again. True by default
   * for the formats `uri`, `http-url` and `hostname`, and for names such as `host`, `port` and `url`.
   */
  readonly target?: boolean;
  /** Leaves the field out of forms: it is edited elsewhere. */
  readonly hidden?: boolean;
  /** Shows the field read-only, because the server's configuration decides it; the field says so. */
  readonly locked?: boolean;
  /** Shows the field only while another field of the same object has one of these values. */
  readonly when?: { readonly property: string; readonly oneOf: readonly unknown[] };
}

/** How clients of the v1 API know a setting that has another name or form there: see `x-v1`. */
export interface V1Field {
  readonly key: string;
  /** By default the title of the setting. */
  readonly title?: string;
  /** Whether their forms require it, in addition to what the schema requires. */
  readonly required?: boolean;
  /** Makes it a checkbox that is ticked while the setting has this value. Unticking a boolean sets the other value. */
  readonly is?: string | number | boolean;
}

/**
 * The subset of JSON Schema (2020-12) that Trellis uses: it can be shown as a form and validated without generating code. Every
 * schema in it means the same to ajv.
 *
 * @public
 */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** In Unicode code points, as JSON Schema counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** `secret`: encrypted at rest, masked in answers. Other formats are listed in `formats.ts`. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly 'x-ui'?: UiHints;
  /**
   * Whether the web half of the plugin gets this setting too, as `ctx.settings`. Then every page knows it, even before anybody
   * signs in, so a schema that marks a secret, or an object that contains one, is refused.
   */
  readonly 'x-page'?: boolean;
  /**
   * The text is the id of an item of this registry, such as `aggregations`. Before a plugin that provides the item is removed,
   * people see where it is named. For options of views, and for options that plugins keep with views.
   */
  readonly 'x-names'?: string;
  /** The fields of the v1 API's `input` for this plugin setting; by default one of the same name. */
  readonly 'x-v1'?: readonly V1Field[];
}

/** A schema of settings: always an object. @public */
export interface SettingsSchema extends JsonSchema {
  readonly type: 'object';
}
