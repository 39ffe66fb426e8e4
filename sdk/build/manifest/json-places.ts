import { pointer } from '@trellis/core';
import { parseSync } from 'rolldown/utils';
import { placeAt, type TextPlace } from '@trellis/core';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly expression?: Node;
  readonly properties?: readonly { readonly key: Node & { readonly value: string }; readonly value: Node }[];
  readonly elements?: readonly Node[];
}

/** Finds the values of a JSON text and the keys that they stand at, by JSON pointers. */
export class JsonPlaces {
  private readonly values = new Map<string, number>();
  private readonly keys = new Map<string, number>();
  /** Keys that stand more than once in one object. Readers of JSON take the last one. */
  readonly repeated: { readonly path: string; readonly key: string }[] = [];

  constructor(private readonly text: string) {
    // JSON is an expression of JavaScript; what it is wrapped in comes off the offsets.
    const { program } = parseSync('file.js', `(${text}\n)`, { lang: 'js', preserveParens: false });
    const [statement] = program.body as unknown as readonly Node[];
    if (statement?.expression !== undefined) this.walk(statement.expression, '');
  }

  /** How many characters stand before the value; undefined for what is not there. */
  offsetOf(path: string): number | undefined {
    return this.values.get(path);
  }

  /** Of the value; of the start of the text for what is not there. */
  ofValue(path: string): TextPlace {
    return placeAt(this.text, this.values.get(path) ?? 0);
  }

  /** Of the key, where the value stands at one. */
  ofKey(path: string): TextPlace {
    return placeAt(this.text, this.keys.get(path) ?? this.values.get(path) ?? 0);
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
