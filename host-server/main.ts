import { fileURLToPath } from 'node:url';
import { prepareThreads } from './databases/sqlite/sqlite-threads.ts';
import { boundHeap } from './runtime/bounded-heap.ts';
import { keepCompiledCode } from './runtime/code-cache.ts';
import { ConfigError, describeConfig, loadConfig, type LoadedConfig } from './runtime/config/config.ts';

/** One thread writes and one reads while the server starts. */
const threadsOfStart = 2;

function readConfig(): LoadedConfig {
  try {
    return loadConfig(process.env, process.argv.slice(2), process.cwd());
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : `Trellis cannot start: ${String(error)}`}\n`,
    );
    process.exit(1);
  }
}

// Outputs may be files on a full disk, or pipes that nobody reads any more. Their errors must not end the server.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
boundHeap();
// Beside the code: whoever may write there may change the server anyway, and a build takes both away.
keepCompiledCode(fileURLToPath(new URL('./.code-cache/', import.meta.url)));
const { config, origins } = readConfig();
process.stdout.write(`Trellis starts with\n${describeConfig(origins)}\n`);
// The threads start while the server's code is read, which takes about as long. This file therefore imports little.
if ('file' in config.database) await prepareThreads(threadsOfStart);
// Not awaited at the top: chunks of the server import this module, and would wait for its end.
void import('./run-server.ts').then(({ runServer }) => runServer(config));
