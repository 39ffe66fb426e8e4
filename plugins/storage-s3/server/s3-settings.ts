import type { AwsKey } from '@trellis/sdk/server';

/** The address and the credentials, once the settings are complete. */
export interface S3Place extends AwsKey {
  /** Of the bucket, with a slash at its end. */
  readonly url: URL;
  readonly bucket: string;
  /** Of all keys: empty, or with a slash at its end. */
  readonly prefix: string;
}

interface Preset {
  /** Undefined for stores whose customers have their own addresses. */
  readonly endpoint?: (region: string) => string;
  /** The default if the settings name none; undefined if the store needs one. */
  readonly region?: string;
  readonly addressing: 'path' | 'host';
}

const presets: Readonly<Record<string, Preset>> = {
  amazon: {
    endpoint: (region) => `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    addressing: 'host',
  },
  minio: { region: 'us-east-1', addressing: 'path' },
  backblaze: { endpoint: (region) => `https://s3.${region}.backblazeb2.com`, addressing: 'path' },
  spaces: { endpoint: (region) => `https://${region}.digitaloceanspaces.com`, addressing: 'host' },
  gcs: { endpoint: () => 'https://storage.googleapis.com', region: 'auto', addressing: 'path' },
  r2: { region: 'auto', addressing: 'path' },
  wasabi: { endpoint: (region) => `https://s3.${region}.wasabisys.com`, addressing: 'path' },
  other: { region: 'us-east-1', addressing: 'path' },
};

/** The place, or which setting is missing or invalid. */
export type ReadPlace =
  | { readonly kind: 'ready'; readonly place: S3Place }
  | { readonly kind: 'incomplete'; readonly missing: 'endpoint' | 'address' | 'region' | 'bucket' | 'keys' };

export function readPlace(values: Readonly<Record<string, unknown>>): ReadPlace {
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name].trim() : '');
  const preset = presets[text('provider')] ?? presets['other'];
  const bucket = text('bucket');
  const accessKey = text('access_key');
  const secretKey = text('access_secret');
  const region = text('region') || preset?.region;
  if (bucket === '') return { kind: 'incomplete', missing: 'bucket' };
  if (accessKey === '' || secretKey === '') return { kind: 'incomplete', missing: 'keys' };
  if (region === undefined) return { kind: 'incomplete', missing: 'region' };
  const endpoint = text('endpoint') || preset?.endpoint?.(region);
  if (endpoint === undefined) return { kind: 'incomplete', missing: 'endpoint' };
  if (!URL.canParse(endpoint)) return { kind: 'incomplete', missing: 'address' };
  const chosen = text('addressing');
  const addressing = chosen === 'path' || chosen === 'host' ? chosen : preset?.addressing;
  const url = bucketUrl(new URL(endpoint), bucket, addressing === 'host');
  return {
    kind: 'ready',
    place: { url, bucket, region, service: 's3', accessKey, secretKey, prefix: prefixOf(text('prefix')) },
  };
}

/** Whether two settings lead to the same objects. */
export function isSamePlace(one: S3Place, other: S3Place): boolean {
  return one.url.href === other.url.href && one.prefix === other.prefix;
}

/** A bucket with a dot in its name has no certificate for a name before the host, so it is always in the path. */
function bucketUrl(endpoint: URL, bucket: string, isBeforeHost: boolean): URL {
  const url = new URL(endpoint.origin);
  const folder = endpoint.pathname.replace(/\/+$/, '');
  const canBeBefore = isBeforeHost && !(bucket.includes('.') && url.protocol === 'https:');
  if (canBeBefore) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = canBeBefore ? `${folder}/` : `${folder}/${bucket}/`;
  return url;
}

function prefixOf(text: string): string {
  const folders = text.split('/').filter((name) => !/^\.{0,2}$/.test(name));
  return folders.map((name) => `${name}/`).join('');
}
