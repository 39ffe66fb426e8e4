import { expect, test } from '@jest/globals';
import { sha256Hex, signedAwsHeaders, type AwsCall } from './aws-signature.ts';

/*
 * The examples of Amazon's description:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
const key = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 's3',
};
const emptyHash = sha256Hex('');
const at = new Date('2013-05-24T00:00:00Z');
const url = (path: string) => new URL(`https://examplebucket.s3.amazonaws.com${path}`);

const examples: readonly (readonly [
  name: string,
  call: Omit<AwsCall, 'at'>,
  signed: string,
  signature: string,
])[] = [
  [
    'a part of an object',
    { method: 'GET', url: url('/test.txt'), headers: { range: 'bytes=0-9' }, bodyHash: emptyHash },
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an object to keep',
    {
      method: 'PUT',
      url: url('/test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      bodyHash: sha256Hex('Welcome to Amazon S3.'),
    },
    'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a query without a value',
    { method: 'GET', url: url('/?lifecycle'), bodyHash: emptyHash },
    'host;x-amz-content-sha256;x-amz-date',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list',
    { method: 'GET', url: url('/?prefix=J&max-keys=2'), bodyHash: emptyHash },
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

test.each(examples)('signs %s as Amazon does', (_name, call, signed, signature) => {
  const { authorization } = signedAwsHeaders({ ...call, at }, key);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${signed}, Signature=${signature}`,
  );
});
