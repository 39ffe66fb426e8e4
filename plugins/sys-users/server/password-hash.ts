import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { PasswordHasher } from '@trellis/sdk/server';
import { maximumPasswordLength, minimumPasswordLength } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';

const shape = { r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
const saltBytes = 16;
/** More at once would only take memory and cores from other work. */
const atOnce = 2;

/** Hashes passwords with scrypt, never more than two at a time. The hash contains its parameters. */
export class ScryptHasher implements PasswordHasher {
  readonly #cost: ScryptOptions & { readonly N: number };
  /** Compared with passwords for unknown accounts. */
  readonly #decoy: string;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param cost see `PasswordCostToken` */
  constructor(cost: number) {
    this.#cost = { ...shape, N: 2 ** cost };
    this.#decoy = this.#text(Buffer.alloc(saltBytes), Buffer.alloc(keyBytes));
  }

  /** `scrypt$N$r$p$salt$key`, salt and key in base64url. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    return this.#text(salt, await this.#derive(password, salt, this.#cost));
  }

  /** Whether the password is correct; takes equally long for an account that does not exist. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, n, r, p, salt, key] = (hash ?? this.#decoy).split('$');
    const expected = Buffer.from(key ?? '', 'base64url');
    const options = { ...shape, N: Number(n), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt ?? '', 'base64url'), options);
    return timingSafeEqual(derived, expected) && hash !== undefined;
  }

  #text(salt: Buffer, key: Buffer): string {
    const parts = [this.#cost.N, shape.r, shape.p, salt.toString('base64url'), key.toString('base64url')];
    return ['scrypt', ...parts].join('$');
  }

  async #derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** Refuses a password that is too short, that is invisible, or so long that hashing it would be an attack. */
export function checkNewPassword(password: string): void {
  const length = password.normalize('NFKC').length;
  if (length < minimumPasswordLength) throw authErrors.create('PASSWORD_TOO_SHORT');
  if (length > maximumPasswordLength) throw authErrors.create('PASSWORD_TOO_LONG');
  if (/^[\s\p{Z}\p{C}]*$/u.test(password)) throw authErrors.create('PASSWORD_BLANK');
}
