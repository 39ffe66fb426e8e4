export { checkSchema } from './check-schema.ts';
export type { JsonSchema, JsonType, SettingsSchema, UiHints, V1Field } from './json-schema.ts';
export { namedItems, type NamedItem } from './named-items.ts';
export { pagePart } from './page-settings.ts';
export { describeProblems, pointer, problemsByField, type SchemaProblem } from './schema-problem.ts';
export { keepMaskedSecrets, mapSecrets, maskSecrets, SECRET_MASK, secretPaths } from './secrets.ts';
export { changesTarget, retargetedSecrets } from './secret-targets.ts';
export { applyDefaults, validateSettings, type SettingsOutcome } from './settings.ts';
export { validateSchema, type SchemaValidator } from './validate-schema.ts';
