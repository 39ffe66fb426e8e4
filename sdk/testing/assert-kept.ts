/** What a plugin does not keep of what its manifest and its context promise: a line for each, with its place. */
class BrokenPromises extends Error {
  override readonly name = 'BrokenPromises';

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** @throws BrokenPromises if there are any */
export function assertKept(broken: readonly string[]): void {
  if (broken.length > 0) throw new BrokenPromises(broken);
}

/** @throws BrokenPromises with the reason, and with the stack of what `setup` threw, if the plugin is not enabled */
export function assertRuns(
  status: { readonly state: string; readonly reason?: string | undefined } | undefined,
  thrown?: unknown,
): void {
  if (status?.state === 'enabled' && status.reason === undefined) return;
  const broken = new BrokenPromises([status?.reason ?? `The plugin is ${status?.state ?? 'not there'}.`]);
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  broken.stack = [`${broken.name}: ${broken.message}`, ...frames].join('\n');
  throw broken;
}

/** A place of the manifest by its JSON pointer, of which the command line makes a line and a column. */
export function inManifest(path: string): string {
  return `plugin.json#${path}`;
}

type Items = Readonly<Record<string, readonly string[]>>;

/** The differences between the items that a manifest announces and those that are registered, as sentences. */
export function differencesOf(announced: Items, registered: Items): readonly string[] {
  const registries = [...new Set([...Object.keys(announced), ...Object.keys(registered)])].toSorted();
  return registries.flatMap((registry) => {
    const [said = [], done = []] = [announced[registry], registered[registry]];
    return [
      ...said
        .filter((id) => !done.includes(id))
        .map(
          (id) =>
            `${inManifest(`/contributes/${registry}`)} announces '${id}' for ${registry}, which 'setup' does not register; register it, or remove it here.`,
        ),
      ...done
        .filter((id) => !said.includes(id))
        .map(
          (id) =>
            `${inManifest(`/contributes/${registry}`)} does not announce '${id}' for ${registry}, which 'setup' registers; add { "id": "${id}" } to contributes.${registry}.`,
        ),
    ];
  });
}
