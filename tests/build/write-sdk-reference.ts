import { readFileSync, writeFileSync } from 'node:fs';
import { referenceFile, withReference } from './sdk-reference.ts';

writeFileSync(referenceFile, withReference(readFileSync(referenceFile, 'utf8')));
