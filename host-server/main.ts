import { ConfigError, describeConfig, loadConfig } from './config/config.ts';
import { createHost, type Host } from './host.ts';

/** Writes to the operator, before there is a logger and when there is none any more. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function start(): Promise<Host> {
  const { config, origins } = loadConfig(process.env, process.argv.slice(2), process.cwd());
  say(`Trellis starts with\n${describeConfig(origins)}`);
  const host = await createHost(config);
  const port = await host.listen();
  const shown = config.host === '0.0.0.0' || config.host === '127.0.0.1' ? 'localhost' : config.host;
  say(`Trellis listens on http://${shown}:${port}`);
  return host;
}

function stopOn(host: Host): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      say('Trellis stops.');
      host.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          say(`Trellis did not stop cleanly: ${error instanceof Error ? error.message : String(error)}`);
          process.exit(1);
        },
      );
    });
  }
}

// A late error of one plugin must not end everybody's work; it is written down with its stack.
process.on('unhandledRejection', (error) => {
  process.stderr.write(
    `An error that nobody waited for: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
});

try {
  stopOn(await start());
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `Trellis cannot start: ${error instanceof Error ? error.message : String(error)}`}\n`,
  );
  process.exit(1);
}
