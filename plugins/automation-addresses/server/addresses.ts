import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PluginKeyValue, Secrets } from '@trellis/sdk/server';
import type { LastCall } from '../shared/index.ts';

const randomLength = 24;
const signatureLength = 12;
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

  create(): string {
    const random = randomBytes(randomLength);
    return Buffer.concat([random, this.#sign(random)]).toString('base64url');
  }

  isOurs(address: string): boolean {
    if (!shape.test(address)) return false;
    const bytes = Buffer.from(address, 'base64url');
    const random = bytes.subarray(0, randomLength);
    return timingSafeEqual(bytes.subarray(randomLength), this.#sign(random));
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

  #sign(random: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(random).digest().subarray(0, signatureLength);
  }
}

/** An address is a secret, and is not kept as it is. */
function keyOf(address: string): string {
  return `last.${createHash('sha256').update(address).digest('hex').slice(0, 40)}`;
}
