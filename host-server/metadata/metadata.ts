import type { Bus } from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import { createGenerations, type Generations } from './generations.ts';
import { createLeases, type Leases } from '../runtime/leases.ts';
import { migrate, type MigrateOptions } from './migrate.ts';

/** The metadata database, its generations and its leases. Tables of own bases live in it as well. */
export interface Metadata {
  readonly database: Database;
  readonly generations: Generations;
  readonly leases: Leases;
  /** Stops the poller; the database is closed by whoever opened it. */
  dispose(): void;
}

export interface MetadataDependencies extends Pick<MigrateOptions, 'version' | 'backUp'> {
  readonly database: Database;
  /** The leases of this process. Default: new ones, for this metadata alone. */
  readonly leases?: Leases;
  /** See `GenerationOptions.bus`. */
  readonly bus?: Bus;
  readonly onPollError?: (error: unknown) => void;
  /** See `GenerationOptions.every`. */
  readonly pollEvery?: number;
}

/** What all servers count beside the projects. */
const sharedScopes = ['access', 'accounts', 'plugins', 'projects', 'plugin-settings'];

/** Brings the schema up to date and starts to follow the generations. */
export async function createMetadata(deps: MetadataDependencies): Promise<Metadata> {
  const { database, bus, leases = createLeases(database) } = deps;
  await migrate(database, leases, { version: deps.version, backUp: deps.backUp });
  const generations = createGenerations(database, { every: deps.pollEvery, bus, onError: deps.onPollError });
  await generations.poll();
  await generations.ensure(sharedScopes);
  return {
    database,
    generations,
    leases,
    dispose() {
      generations.dispose();
    },
  };
}
