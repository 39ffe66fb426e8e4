import { createHash, createPublicKey, verify } from 'node:crypto';
import { archiveErrors } from './archive-errors.ts';
import { type ArchiveSignature, signaturePath } from './format.ts';
import { parseArchiveJson } from './parse-archive-json.ts';

const keyBytes = 32;
const signatureBytes = 64;

/** @returns the raw key that signed the checksums, in base64. @throws TrellisError `ARCHIVE_SIGNATURE`, `ARCHIVE_JSON`. */
export function verifySignature(checksums: Buffer, bytes: Buffer): string {
  const { algorithm, publicKey, signature } = parseArchiveJson<ArchiveSignature>(signaturePath, bytes);
  const key = bytesOf(publicKey, keyBytes);
  const seal = bytesOf(signature, signatureBytes);
  if (algorithm !== 'ed25519' || key === undefined || seal === undefined || !isSigned(checksums, key, seal))
    throw archiveErrors.create('ARCHIVE_SIGNATURE');
  return key.toString('base64');
}

/** SHA-256 of a raw key in hexadecimal, in groups of four for comparison by people. @public */
export function keyFingerprint(publicKey: string): string {
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
  return (digest.slice(0, 32).match(/.{4}/g) ?? []).join(' ');
}

function isSigned(checksums: Buffer, key: Buffer, seal: Buffer): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    return verify(null, checksums, createPublicKey({ key: jwk, format: 'jwk' }), seal);
  } catch {
    // The bytes are not a point of the curve.
    return false;
  }
}

function bytesOf(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined;
}
