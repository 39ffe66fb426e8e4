import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A choice of words; a key with `anyOf` also takes other words than the product's. */
interface Words {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly [{ readonly enum: readonly string[] }];
}

interface Lists {
  readonly [registry: string]: {
    readonly items?: Words & {
      readonly properties?: Readonly<Record<string, Words & { readonly items?: Words }>>;
    };
  };
}

/** The schema for editors, as far as words are read from it. */
interface EditorSchema {
  readonly $defs: { readonly themeProperty: Words };
  readonly properties: {
    readonly icon: Words;
    readonly permissions: { readonly items: Words };
    readonly contributes: { readonly properties: Lists };
  };
}

/** The product's words that manifests may use. */
export interface KnownWords {
  readonly registries: readonly string[];
  /** The hooks with which a plugin changes or refuses operations. */
  readonly hooks: readonly string[];
  /** The keys of what manifests announce, by registry; of server paths, hosts, tables and hooks, which are texts, none. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly storageKinds: readonly string[];
  readonly columnTypes: readonly string[];
  readonly icons: readonly string[];
  readonly capabilities: readonly string[];
  /** The custom properties that themes set, without their prefix. */
  readonly themeProperties: readonly string[];
}

/** Reads the words from the schema for editors. */
export async function knownWords(): Promise<KnownWords> {
  const file = fileURLToPath(import.meta.resolve('@trellis/sdk/plugin.schema.json'));
  const { properties, $defs } = JSON.parse(await readFile(file, 'utf8')) as EditorSchema;
  const lists = properties.contributes.properties;
  const keys = Object.entries(lists).flatMap(([registry, { items }]) =>
    items?.properties === undefined ? [] : [[registry, Object.keys(items.properties)] as const],
  );
  const ofTypes = lists['columnTypes']?.items?.properties;
  return {
    registries: Object.keys(lists),
    hooks: wordsOf(lists['hooks']?.items),
    keys: new Map(keys),
    storageKinds: wordsOf(ofTypes?.['storage']),
    columnTypes: wordsOf(ofTypes?.['fallback']),
    icons: wordsOf(properties.icon),
    capabilities: wordsOf(properties.permissions.items),
    themeProperties: wordsOf($defs.themeProperty),
  };
}

function wordsOf(words: Words | undefined): readonly string[] {
  return words?.enum ?? words?.anyOf?.[0].enum ?? [];
}
