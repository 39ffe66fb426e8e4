import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placeAt, pointer, type TextPlace } from '@trellis/core';
import { parseSync } from 'rolldown/utils';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly expression?: Node;
  readonly properties?: readonly { readonly key: Node & { readonly value: string }; readonly value: Node }[];
  readonly elements?: readonly Node[];
}

/** Finds the places of a JSON text's values and keys, by JSON pointer. */
export class JsonPlaces {
  private readonly values = new Map<string, number>();
  private readonly keys = new Map<string, number>();
  /** Keys that occur more than once in an object. JSON parsers use the last one. */
  readonly repeated: { readonly path: string; readonly key: string }[] = [];

  constructor(private readonly text: string) {
    // JSON is a JavaScript expression; the offsets are corrected for the wrapping.
    const { program } = parseSync('file.js', `(${text}\n)`, { lang: 'js', preserveParens: false });
    const [statement] = program.body as unknown as readonly Node[];
    if (statement?.expression !== undefined) this.walk(statement.expression, '');
  }

  /** The number of characters before the value; undefined if it does not exist. */
  offsetOf(path: string): number | undefined {
    return this.values.get(path);
  }

  /** The value's place; the start of the text if it does not exist. */
  ofValue(path: string): TextPlace {
    return placeAt(this.text, this.values.get(path) ?? 0);
  }

  /** The key's place, if the value has a key. */
  ofKey(path: string): TextPlace {
    return placeAt(this.text, this.keys.get(path) ?? this.values.get(path) ?? 0);
  }

  /** The place of the value, or of the nearest part around it that exists; of what has a key, the key's place. */
  ofNearest(path: string): TextPlace {
    if (path === '' || this.values.has(path)) return this.ofKey(path);
    return this.ofNearest(path.slice(0, path.lastIndexOf('/')));
  }

  private walk(node: Node, path: string): void {
    this.values.set(path, node.start - 1);
    for (const { key, value } of node.properties ?? []) {
      const below = pointer(path, key.value);
      if (this.keys.has(below)) this.repeated.push({ path: below, key: key.value });
      this.keys.set(below, key.start - 1);
      this.walk(value, below);
    }
    node.elements?.forEach((element, index) => this.walk(element, pointer(path, index)));
  }
}

/** The places of the manifest in a plugin's folder. */
export async function manifestPlaces(root: string): Promise<JsonPlaces> {
  return new JsonPlaces(await readFile(join(root, 'plugin.json'), 'utf8'));
}
