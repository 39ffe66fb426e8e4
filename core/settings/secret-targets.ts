import type { JsonSchema } from './json-schema.ts';
import type { SchemaProblem } from './schema-problem.ts';
import { findSecrets, findStored, SECRET_MASK, schemasOf, type Steps } from './secrets.ts';
import { isRecord, sameJson } from './values.ts';

const targetFormats = new Set(['uri', 'http-url', 'hostname']);
const targetNames = /^(?:host|hostname|server|domain|address|url|uri|endpoint|issuer|port)$/i;

/** Whether a setting decides where secrets are sent: by its `x-ui`, its format, or a typical name of such settings. */
function isTarget(name: string, schema: JsonSchema): boolean {
  return schema['x-ui']?.target ?? (targetFormats.has(schema.format ?? '') || targetNames.test(name));
}

/**
 * The stored secrets that the incoming settings would send to another place.
 *
 * An administrator never sees a stored secret, and must not obtain it by entering an own server either. A secret is sent to the
 * targets beside it, and beside objects that contain it.
 *
 * @returns a problem for each masked secret that has to be entered again.
 */
export function retargetedSecrets(
  schema: JsonSchema,
  incoming: unknown,
  stored: unknown,
): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const [path, steps] of findSecrets(schema, incoming)) {
    const isMasked = at(incoming, steps) === SECRET_MASK;
    const known = findStored(incoming, stored, steps);
    if (!isMasked || known === undefined || known === '') continue;
    const changed = changedTarget(schema, incoming, { steps, stored });
    if (changed !== undefined)
      problems.push({
        path,
        keyword: 'secretTarget',
        message: `must be entered again, because '${changed}' was changed`,
        params: { target: changed },
      });
  }
  return problems;
}

/** The title of the first changed target on the path to a secret. */
function changedTarget(
  schema: JsonSchema,
  incoming: unknown,
  { steps, stored }: { readonly steps: Steps; readonly stored: unknown },
): string | undefined {
  let schemas: readonly JsonSchema[] = [schema];
  for (let depth = 0; depth < steps.length; depth += 1) {
    const way = steps.slice(0, depth);
    const now = at(incoming, way);
    const before = depth === 0 ? stored : findStored(incoming, stored, way);
    const changed = changedAmong(schemas, now, before);
    if (changed !== undefined) return changed;
    const step = steps[depth] ?? '';
    schemas = schemas.flatMap((one) =>
      typeof step === 'number' ? (one.items === undefined ? [] : [one.items]) : schemasOf(one, step),
    );
  }
  return undefined;
}

/** The title of the first changed target among the properties of one object. */
function changedAmong(schemas: readonly JsonSchema[], now: unknown, before: unknown): string | undefined {
  if (!isRecord(now)) return undefined;
  for (const [name, child] of schemas.flatMap((one) => Object.entries(one.properties ?? {}))) {
    if (!isTarget(name, child)) continue;
    const former = isRecord(before) ? before[name] : undefined;
    if (!sameJson(now[name] ?? child.default, former ?? child.default)) return child.title ?? name;
  }
  return undefined;
}

/** Whether a target among these settings has changed, to which the secrets beside it are sent. */
export function changesTarget(schema: JsonSchema, incoming: unknown, stored: unknown): boolean {
  return changedAmong([schema], incoming, stored) !== undefined;
}

function at(value: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (here, step) =>
      Array.isArray(here) || isRecord(here) ? (here as Record<string | number, unknown>)[step] : undefined,
    value,
  );
}
