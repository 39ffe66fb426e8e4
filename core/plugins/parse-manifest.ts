import { meantInstead, nearestWord } from '../errors/nearest-word.ts';
import { checkSchema } from '../settings/check-schema.ts';
import { checkPageMarks } from '../settings/page-settings.ts';
import { describeProblems, pointer, type SchemaProblem } from '../settings/schema-problem.ts';
import { validateSchema } from '../settings/validate-schema.ts';
import { checkTexts } from './manifest-texts.ts';
import { pluginErrors } from './plugin-errors.ts';
import { manifestSchema, patternWords, type PluginManifest } from './plugin-manifest.ts';
import { isRange, isVersion } from './versions.ts';

/**
 * Reads a manifest from parsed JSON.
 *
 * @param from where it came from, for the message.
 * @throws TrellisError `PLUGIN_MANIFEST_INVALID` whose text and `params.problems` list every problem with its path.
 */
export function parseManifest(value: unknown, from: string): PluginManifest {
  const all = problemsOf(value);
  if (all.length > 0) {
    const description = describeProblems(all);
    throw pluginErrors.create('PLUGIN_MANIFEST_INVALID', { from, description, problems: all });
  }
  return value as PluginManifest;
}

/** Each check relies on the one before it. */
function problemsOf(value: unknown): readonly SchemaProblem[] {
  const unreadable = checkTexts(value);
  if (unreadable.length > 0) return unreadable;
  const problems = validateSchema(manifestSchema, value).map(withMeantWord).map(withPlainPattern);
  return problems.length > 0 ? problems : checkMeaning(value as PluginManifest);
}

/** Adds the key that was probably meant to a problem with an unknown key. */
function withMeantWord(problem: SchemaProblem): SchemaProblem {
  const property = problem.params?.['property'];
  if (problem.keyword !== 'additionalProperties' || typeof property !== 'string') return problem;
  const known = manifestWords(problem.path);
  if (nearestWord(property, known) === undefined) return problem;
  return { ...problem, message: `${problem.message}${meantInstead(property, known)}` };
}

/** Replaces the message of a pattern by words. */
function withPlainPattern(problem: SchemaProblem): SchemaProblem {
  const words = patternWords.get(String(problem.params?.['pattern']));
  return words === undefined ? problem : { ...problem, message: words };
}

/** The keys allowed in an object of a manifest, by its path. */
export function manifestWords(path: string): readonly string[] {
  const { properties = {} } = manifestSchema;
  return Object.keys(path === '' ? properties : (properties[path.slice(1)]?.properties ?? {}));
}

/** Checks rules that the schema cannot express. */
function checkMeaning(manifest: PluginManifest): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const report = (path: string, keyword: string, message: string) =>
    problems.push({ path, keyword, message });
  if (!isVersion(manifest.version)) report('/version', 'version', 'must be a semantic version such as 1.0.0');
  if (!isRange(manifest.engines.trellis))
    report('/engines/trellis', 'range', 'must be a version range such as ^1.0.0');

  const named = new Map<string, string>();
  for (const group of ['dependencies', 'optionalDependencies', 'conflicts'] as const) {
    for (const [id, range] of Object.entries(manifest[group] ?? {})) {
      const path = pointer(`/${group}`, id);
      if (!isRange(range)) report(path, 'range', `must be a version range, not '${range}'`);
      if (id === manifest.id) report(path, 'self', 'must not name the plugin itself');
      const earlier = named.get(id);
      if (earlier !== undefined)
        report(path, 'twice', `must not be named here and under '${earlier}' as well`);
      named.set(id, group);
    }
  }
  if (manifest.settings !== undefined) {
    const schema = checkSchema(manifest.settings);
    for (const problem of schema.length > 0 ? schema : checkPageMarks(manifest.settings)) {
      problems.push({ ...problem, path: `/settings${problem.path}` });
    }
  }
  for (const [registryId, contributions] of Object.entries(manifest.contributes ?? {})) {
    const seen = new Set<string>();
    for (const [index, contribution] of (contributions ?? []).entries()) {
      if (typeof contribution === 'string') continue;
      if (seen.has(contribution.id)) {
        const path = pointer(pointer(`/contributes/${registryId}`, index), 'id');
        report(path, 'twice', `repeats the id '${contribution.id}'`);
      }
      seen.add(contribution.id);
    }
  }
  return problems;
}
