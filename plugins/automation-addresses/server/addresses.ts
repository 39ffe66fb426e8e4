import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PluginKeyValue, Secrets } from '@trellis/sdk/server';
import type { LastCall } from '../shared/index.ts';

const randomLength = 16;
const projectLength = 8;
const signatureLength = 12;
const signedLength = randomLength + projectLength;
/** What was sent last to an address is kept under this and its hash. */
const prefix = 'last.';
const shape = /^[\w-]{48}$/;
const purpose = 'automation-addresses';
/** Characters of a last call that are kept. */
const longestKept = 8 * 1024;

/** Makes secret addresses and knows its own again, with nothing kept but what was sent to them last. */
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

  /** Whether it was made for this project: programs that know an address must not hear in another project what others send to it. */
  isOf(address: string, projectId: string): boolean {
    if (!this.isOurs(address)) return false;
    const bytes = Buffer.from(address, 'base64url');
    const tag = this.#projectTag(bytes.subarray(0, randomLength), projectId);
    return timingSafeEqual(bytes.subarray(randomLength, signedLength), tag);
  }

  async keepLast(address: string, call: LastCall): Promise<void> {
    const text = JSON.stringify(call);
    if (text.length <= longestKept) await this.#kv.set(keyOf(address), this.#secrets.encrypt(purpose, text));
  }

  async last(address: string): Promise<LastCall | undefined> {
    const sealed = await this.#kv.get<string>(keyOf(address));
    return sealed === undefined
      ? undefined
      : (JSON.parse(this.#secrets.decrypt(purpose, sealed)) as LastCall);
  }

  /** Forgets what was sent to all other addresses. */
  async forgetAllBut(addresses: () => Promise<readonly string[]>): Promise<void> {
    // Asked for first: what an address is sent that is new since then is not among them.
    const keys = await this.#kv.keys(prefix);
    const kept = new Set((await addresses()).map(keyOf));
    for (const key of keys) if (!kept.has(key)) await this.#kv.delete(key);
  }

  #sign(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, signatureLength);
  }

  #projectTag(random: Uint8Array, projectId: string): Buffer {
    const mac = createHmac('sha256', this.#key).update('project ').update(random).update(projectId);
    return mac.digest().subarray(0, projectLength);
  }
}

/** An address is a secret, and is not kept as it is. */
function keyOf(address: string): string {
  return `${prefix}${createHash('sha256').update(address).digest('hex').slice(0, 40)}`;
}
