import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = dirname(fileURLToPath(import.meta.url));
const declaration =
  /((?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?)export (?:async )?(?:const|function|class|interface|type) (\w+)/g;

/** Every name that the SDK declares, with the comment above it. */
function declarations(): readonly { readonly name: string; readonly comment: string }[] {
  return ['shared', 'server', 'web', 'testing', 'build'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
      .flatMap((file) =>
        [...readFileSync(join(root, folder, file), 'utf8').matchAll(declaration)].map(
          ([, comment = '', name = '']) => ({ name: `${folder}/${file} ${name}`, comment }),
        ),
      ),
  );
}

describe('the SDK', () => {
  test('says of everything that it exports what it is and how stable it is', () => {
    const all = declarations();
    expect(all.length).toBeGreaterThan(150);
    const silent = all.filter(
      ({ comment }) => !/\w[^@]*@(public|beta|internal|deprecated)\b/.test(comment.replace(/^\/\*+/, '')),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
