import { keyFingerprint } from '../archive/verify-signature.ts';
import { say } from './command.ts';

/** Tells by which key an archive is signed: all of it for whoever names it as a publisher, and what people compare. */
export function saySigner(signer: string | undefined): void {
  say(signer === undefined ? 'Not signed' : `Signed by: ${signer}\n           ${keyFingerprint(signer)}`);
}
