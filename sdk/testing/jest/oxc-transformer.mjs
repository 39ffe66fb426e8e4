import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync } from 'rolldown/utils';

const own = readFileSync(new URL(import.meta.url));

/** Compiles TypeScript and JSX to ES modules for Jest, with the compiler that builds the product. */
export default {
  process(source, file) {
    const { code, map, errors } = transformSync(file, source, {
      lang: /\w+$/.exec(file)?.[0] ?? 'ts',
      sourcemap: true,
      target: 'es2022',
      sourceType: 'module',
      jsx: { runtime: 'automatic', development: false },
      decorator: { legacy: true },
      typescript: { onlyRemoveTypeImports: true },
    });
    if (errors.length > 0) throw new Error(errors.map((error) => error.message ?? String(error)).join('\n'));
    return { code, map };
  },
  getCacheKey(source, file, options) {
    const hash = createHash('sha256').update(own).update('\0').update(source).update('\0').update(file);
    return hash.update('\0').update(options.configString).digest('hex');
  },
};
