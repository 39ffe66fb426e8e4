import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

/** A key and its certificate, as PEM texts. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority; its own certificate is the `ca` of a connection. */
export interface Authority extends Certified {
  /** @param host the certificate's host name or address; none for a client's */
  issue(this: void, name: string, host?: string): Certified;
}

const day = 24 * 3600_000;
const oid = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
};

/** A DER value: its tag, its length and its contents. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const algorithm = sequence(objectId(oid.ecdsaWithSha256));
const bits = (value: Uint8Array) => der(0x03, Buffer.from([0]), value);
const isTrue = der(0x01, Buffer.from([0xff]));

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(objectId(oid.commonName), der(0x0c, Buffer.from(text)))));
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}

function pem(body: Buffer): string {
  const lines = body.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function certify(
  { name, extension }: { readonly name: string; readonly extension: Buffer | undefined },
  signer?: { readonly name: string; readonly key: KeyObject },
): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const extensions = extension === undefined ? [] : [der(0xa3, sequence(extension))];
  const told = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(signer?.name ?? name),
    sequence(time(now - day), time(now + day)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...extensions,
  );
  const signature = sign('sha256', told, signer?.key ?? privateKey);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(told, algorithm, bits(signature))),
  };
}

/** A certificate's host name, or its IPv4 address. */
function placeOf(host: string): Buffer {
  return isIP(host) === 4
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
}

/** Certificates that are valid for a day, created for each run. */
export function createAuthority(name: string): Authority {
  const constraints = sequence(objectId(oid.basicConstraints), isTrue, der(0x04, sequence(isTrue)));
  const own = certify({ name, extension: constraints });
  const signer = { name, key: createPrivateKey(own.key) };
  return {
    ...own,
    issue(of, host) {
      const names =
        host === undefined
          ? undefined
          : sequence(objectId(oid.subjectAltName), der(0x04, sequence(placeOf(host))));
      return certify({ name: of, extension: names }, signer);
    },
  };
}
