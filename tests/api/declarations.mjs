import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Emits the declarations of core and the SDK into `types/` of a new folder, which the caller removes. */
export function emitDeclarations(root) {
  const parent = join(root, 'node_modules/.cache/trellis');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'api-'));
  const settings = {
    extends: relative(folder, join(root, 'tsconfig.json')),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: join(folder, 'types'),
    },
    include: [join(root, 'sdk'), join(root, 'core'), join(root, 'host-web/build/assets.d.ts')],
    // The plugin builder and the templates are not entries that code imports.
    exclude: ['sdk/build', 'sdk/templates', '**/*.test.ts', '**/*.test.tsx', '**/*.stories.tsx'].map((path) =>
      join(root, path),
    ),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The declarations cannot be emitted:\n${stdout}`);
  return folder;
}
