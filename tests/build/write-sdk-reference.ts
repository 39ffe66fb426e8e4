import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureFiles, pictureFolder, referenceFile, withReference } from './sdk-reference.ts';

writeFileSync(referenceFile, withReference(readFileSync(referenceFile, 'utf8')));
const folder = join(referenceFile, '..', pictureFolder);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, picture] of pictureFiles()) writeFileSync(join(folder, file), picture);
