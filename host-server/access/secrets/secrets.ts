import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { defineErrors } from '@trellis/core';
import type { Secrets } from '@trellis/sdk/server';

const secretErrors = defineErrors({
  SECRET_UNREADABLE: {
    status: 500,
    message:
      'A stored secret cannot be read, because TRELLIS_SECRET is not the one that it was stored with. Start with the former secret, or enter the value again.',
  },
});

const format = 'v1';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Keys derived from `TRELLIS_SECRET`, one per purpose (HKDF-SHA-256), and sealing with AES-256-GCM.
 *
 * A sealed text is `v1.<key id>.<iv, ciphertext and tag in base64url>`; the purpose is authenticated, so a text sealed for one
 * purpose cannot be opened for another.
 */
export function createSecrets(secret: string): Secrets {
  const keyId = createHash('sha256').update(`trellis key id:${secret}`).digest('hex').slice(0, 8);
  const keys = new Map<string, Buffer>();

  function key(purpose: string): Buffer {
    let derived = keys.get(purpose);
    if (derived === undefined) {
      derived = Buffer.from(hkdfSync('sha256', secret, 'trellis', purpose, 32));
      keys.set(purpose, derived);
    }
    return derived;
  }

  return {
    key,
    encrypt(purpose, plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key(purpose), iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${format}.${keyId}.${sealed.toString('base64url')}`;
    },
    decrypt(purpose, sealed) {
      const [version, id, body] = sealed.split('.');
      if (version !== format || id !== keyId || body === undefined)
        throw secretErrors.create('SECRET_UNREADABLE');
      const bytes = Buffer.from(body, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key(purpose), bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(bytes.length - tagBytes));
        return (
          decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes), undefined, 'utf8') +
          decipher.final('utf8')
        );
      } catch (cause) {
        throw secretErrors.create('SECRET_UNREADABLE', {}, cause);
      }
    },
  };
}
