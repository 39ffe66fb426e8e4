import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ArchiveSigner } from './write-archive.ts';

/** A new pair of keys: the private key in PEM (PKCS 8), the public key as the base64 of its 32 bytes. */
export function createKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { privateKey: pem, publicKey: rawPublicKey(privateKey).toString('base64') };
}

/**
 * A signer with the private key of a file.
 *
 * @throws Error if the file contains no ed25519 key
 */
export async function signWith(file: string): Promise<ArchiveSigner> {
  const key = await readKey(file);
  return (checksums) => ({
    algorithm: 'ed25519',
    publicKey: rawPublicKey(key).toString('base64'),
    signature: sign(null, checksums, key).toString('base64'),
  });
}

async function readKey(file: string): Promise<KeyObject> {
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`The key ${file} cannot be read; make one by "trellis-plugin keygen".`, { cause: error });
  });
  const wrong = `${file} holds no ed25519 private key in PEM; make one by "trellis-plugin keygen".`;
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw new Error(wrong, { cause: error });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(wrong);
  return key;
}

/** The 32 bytes of the public key: the end of its DER form. */
function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
}
