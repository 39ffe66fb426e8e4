/** Shorter texts may be common words, so they are masked only by the name of their field. */
const shortest = 6;
/** The most values that are remembered: secrets of former settings may still be in use. */
const most = 1000;

/** The secrets that this server holds, which are masked in logs under whatever name they appear. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** Masks a secret from now on. */
  remember(secret: unknown): void {
    if (typeof secret !== 'string' || secret.length < shortest) return;
    this.#values.delete(secret);
    this.#values.add(secret);
    const [oldest] = this.#values;
    if (this.#values.size > most && oldest !== undefined) this.#values.delete(oldest);
  }

  /** Sets the fields of an owner (a plugin's id) that hold secrets by its settings' schema, replacing earlier ones. */
  nameFields(owner: string, names: readonly string[]): void {
    this.#names.set(owner, new Set(names));
  }

  isSecretField(owner: string | undefined, name: string): boolean {
    return owner !== undefined && this.#names.get(owner)?.has(name) === true;
  }

  /** The text with its secrets masked. */
  maskIn(text: string): string {
    let clean = text;
    for (const secret of this.#values) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]');
    }
    return clean;
  }
}
