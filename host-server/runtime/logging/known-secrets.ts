/** Shorter texts are words that stand in any log; they are masked by the name of their field alone. */
const shortest = 6;
/** Values that are remembered: those of former settings may still be in use somewhere. */
const most = 1000;

/** The secrets that this server holds, so that they are kept out of its logs whatever they are called there. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** Keeps a secret out from now on. */
  remember(secret: unknown): void {
    if (typeof secret !== 'string' || secret.length < shortest) return;
    this.#values.delete(secret);
    this.#values.add(secret);
    const [oldest] = this.#values;
    if (this.#values.size > most && oldest !== undefined) this.#values.delete(oldest);
  }

  /** The fields of an owner (a plugin's id) that hold secrets by its settings' schema; in place of those named before. */
  nameFields(owner: string, names: readonly string[]): void {
    this.#names.set(owner, new Set(names));
  }

  isSecretField(owner: string | undefined, name: string): boolean {
    return owner !== undefined && this.#names.get(owner)?.has(name) === true;
  }

  /** The text without the secrets in it. */
  maskIn(text: string): string {
    let clean = text;
    for (const secret of this.#values) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]');
    }
    return clean;
  }
}
