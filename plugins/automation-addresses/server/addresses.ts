import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PluginKeyValue, Secrets } from '@trellis/sdk/server';
import type { LastCall, RefusedCall } from '../shared/index.ts';

const randomLength = 16;
const projectLength = 8;
const signatureLength = 12;
const signedLength = randomLength + projectLength;
/** The key prefixes, before the hash of an address, for the last call and the last refused call. */
const prefixes = { sent: 'last.', refused: 'refused.' } as const;
type Kept = keyof typeof prefixes;
const kinds: readonly Kept[] = ['sent', 'refused'];
const shape = /^[\w-]{48}$/;
const purpose = 'automation-addresses';
/** The most stored characters of a last call. */
const longestKept = 8 * 1024;

/** Creates secret addresses and recognises them again; only their last calls are stored. */
export class Addresses {
  readonly #key: Uint8Array;
  readonly #secrets: Secrets;
  readonly #kv: PluginKeyValue;

  constructor(secrets: Secrets, kv: PluginKeyValue) {
    this.#key = secrets.key(purpose);
    this.#secrets = secrets;
    this.#kv = kv;
  }

  create(projectId: string): string {
    const random = randomBytes(randomLength);
    const signed = Buffer.concat([random, this.#projectTag(random, projectId)]);
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  isOurs(address: string): boolean {
    if (!shape.test(address)) return false;
    const bytes = Buffer.from(address, 'base64url');
    return timingSafeEqual(bytes.subarray(signedLength), this.#sign(bytes.subarray(0, signedLength)));
  }

  /** Whether it was created for this project: a program that knows an address must not receive its calls in another project. */
  isOf(address: string, projectId: string): boolean {
    if (!this.isOurs(address)) return false;
    const bytes = Buffer.from(address, 'base64url');
    const tag = this.#projectTag(bytes.subarray(0, randomLength), projectId);
    return timingSafeEqual(bytes.subarray(randomLength, signedLength), tag);
  }

  keepLast(address: string, call: LastCall): Promise<void> {
    return this.#keep('sent', address, call);
  }

  last(address: string): Promise<LastCall | undefined> {
    return this.#read<LastCall>('sent', address);
  }

  keepRefused(address: string, call: RefusedCall): Promise<void> {
    return this.#keep('refused', address, call);
  }

  refused(address: string): Promise<RefusedCall | undefined> {
    return this.#read<RefusedCall>('refused', address);
  }

  /** Deletes the last calls of all other addresses. */
  async forgetAllBut(addresses: () => Promise<readonly string[]>): Promise<void> {
    // Read first, so that calls of newer addresses are not among them.
    const keys = (await Promise.all(kinds.map((kind) => this.#kv.keys(prefixes[kind])))).flat();
    const own = await addresses();
    const kept = new Set(own.flatMap((address) => kinds.map((kind) => keyOf(kind, address))));
    for (const key of keys) if (!kept.has(key)) await this.#kv.delete(key);
  }

  async #keep(kind: Kept, address: string, call: object): Promise<void> {
    const text = JSON.stringify(call);
    if (text.length > longestKept) return;
    await this.#kv.set(keyOf(kind, address), this.#secrets.encrypt(purpose, text));
  }

  async #read<T>(kind: Kept, address: string): Promise<T | undefined> {
    const sealed = await this.#kv.get<string>(keyOf(kind, address));
    return sealed === undefined ? undefined : (JSON.parse(this.#secrets.decrypt(purpose, sealed)) as T);
  }

  #sign(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, signatureLength);
  }

  #projectTag(random: Uint8Array, projectId: string): Buffer {
    const mac = createHmac('sha256', this.#key).update('project ').update(random).update(projectId);
    return mac.digest().subarray(0, projectLength);
  }
}

/** An address is a secret, so only its hash is stored. */
function keyOf(kind: Kept, address: string): string {
  return `${prefixes[kind]}${createHash('sha256').update(address).digest('hex').slice(0, 40)}`;
}
