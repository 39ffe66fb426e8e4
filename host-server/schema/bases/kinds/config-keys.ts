import { schemaErrors } from '../../schema-errors.ts';

type Config = Readonly<Record<string, unknown>>;

/** The object at a key of a client's config, or an empty one. @throws TrellisError 400 for any other value. */
export function objectAt(config: Config, key: string): Config {
  const value = Object.hasOwn(config, key) ? config[key] : undefined;
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw refused(key);
  return value as Config;
}

/**
 * Refuses unknown keys. They must not reach a driver, since some of a driver's options open files or run code.
 *
 * @throws TrellisError 400 `DATABASE_PARAMETER` that names the key.
 */
export function onlyKeys(config: Config, known: readonly string[]): void {
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refused(unknown);
}

export function refused(key: string): Error {
  return schemaErrors.create('DATABASE_PARAMETER', { key: key.slice(0, 100) });
}

/** The settings without undefined keys, so that the schema's defaults apply. */
export function given(settings: Config): Config {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
