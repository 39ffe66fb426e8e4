export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** How a settings form shows a field. */
export interface UiHints {
  /** Which control; the form engine knows the ids. */
  readonly widget?: string;
  /** Lower comes first. */
  readonly order?: number;
  readonly group?: string;
  readonly placeholder?: string;
  readonly help?: string;
  /** Labels for the values of `enum`, in the same order. */
  readonly labels?: readonly string[];
  /**
   * Whether the setting says where secrets are sent: when it changes, stored secrets must be entered again. By default true for the
   * formats `uri`, `http-url` and `hostname`, and for names such as `host`, `port` and `url`.
   */
  readonly target?: boolean;
  /** Leaves the field out of forms: it is edited elsewhere. */
  readonly hidden?: boolean;
  /** Shows the field without letting anybody change it, because the configuration of the server decides it; the field says so. */
  readonly locked?: boolean;
  /** Shows the field only while another field of the same object has one of these values. */
  readonly when?: { readonly property: string; readonly oneOf: readonly unknown[] };
}

/** How clients of the v1 API know a setting that has another name or shape there: see `x-v1`. */
export interface V1Field {
  readonly key: string;
  /** By default the title of the setting. */
  readonly title?: string;
  /** Whether their forms ask for it, beside what the schema requires. */
  readonly required?: boolean;
  /** Makes it a checkbox that is ticked while the setting has this value; a boolean has the other one while it is not. */
  readonly is?: string | number | boolean;
}

/**
 * The subset of JSON Schema (2020-12) that Trellis uses: what a form can show and what one can validate without
 * generating code. Every schema in it means the same to ajv.
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
   * The web half of the plugin is given this setting too, as `ctx.settings`. Everybody's page then knows it, also before anybody
   * signed in. A schema that marks a secret, or what holds one, is refused.
   */
  readonly 'x-page'?: boolean;
  /**
   * The text is the id of an item of this registry, such as `aggregations`: whoever removes the plugin that brings the item is told where it
   * is named. In the options of views and of what plugins keep with views.
   */
  readonly 'x-names'?: string;
  /** The fields of the v1 API's `input` that stand for this setting of a plugin; without it, one of the same name. */
  readonly 'x-v1'?: readonly V1Field[];
}

/** A schema of settings: always an object. @public */
export interface SettingsSchema extends JsonSchema {
  readonly type: 'object';
}
