import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { maximumPasswordLength, minimumPasswordLength } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';

/** 32 MB and about 60 ms on one core (OWASP's scrypt line, N = 2^15 with p = 3 costs three times that; sign-ins are limited as well). */
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
const saltBytes = 16;
/** More at once would only take memory and cores from everybody else. */
const atOnce = 2;

/** Hashes passwords with scrypt, never more than two at a time. The hash names its own parameters. */
export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `scrypt$N$r$p$salt$key`, salt and key in base64url. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const key = await this.#derive(password, salt, cost);
    return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
      '$',
    );
  }

  /** Whether the password is the one; takes as long for an account that does not exist. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, n, r, p, salt, key] = (hash ?? decoy).split('$');
    const expected = Buffer.from(key ?? '', 'base64url');
    const options = { ...cost, N: Number(n), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt ?? '', 'base64url'), options);
    return timingSafeEqual(derived, expected) && hash !== undefined;
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

const decoy = `scrypt$${cost.N}$${cost.r}$${cost.p}$${Buffer.alloc(saltBytes).toString('base64url')}$${Buffer.alloc(keyBytes).toString('base64url')}`;

/** Refuses a password that is too short, that nobody can see, or so long that hashing it would be an attack. */
export function checkNewPassword(password: string): void {
  const length = password.normalize('NFKC').length;
  if (length < minimumPasswordLength) throw authErrors.create('PASSWORD_TOO_SHORT');
  if (length > maximumPasswordLength) throw authErrors.create('PASSWORD_TOO_LONG');
  if (/^[\s\p{Z}\p{C}]*$/u.test(password)) throw authErrors.create('PASSWORD_BLANK');
}
