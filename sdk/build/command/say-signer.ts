import { keyFingerprint } from '../archive/verify-signature.ts';
import { say } from './command.ts';

/** Prints the key that signed an archive: the whole key for naming a publisher, and its fingerprint for comparison. */
export function saySigner(signer: string | undefined): void {
  say(signer === undefined ? 'Not signed' : `Signed by: ${signer}\n           ${keyFingerprint(signer)}`);
}
