import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { referenceFile, withReference } from './sdk-reference.ts';

test("the lists in the SDK's README say what the catalogues say; write them by npm run sdk:reference", () => {
  const readme = readFileSync(referenceFile, 'utf8');
  expect(readme).toBe(withReference(readme));
});
