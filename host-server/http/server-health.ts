import { systemClock, withTimeLimit, type Clock, type RegistryEntry, type RegistryView } from '@trellis/core';
import type { HealthCheck, HealthProblem, ServerHealth } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import { asPlugin } from '../runtime/current-plugin.ts';
import type { KnownSecrets } from '../runtime/logging/known-secrets.ts';
import type { PluginErrors } from '../runtime/tokens.ts';

/** Milliseconds for which one look at the health answers all callers. */
const life = 1000;
/** Milliseconds that a check of a plugin may take: as long as most who ask for the health wait for an answer. */
const longestCheck = 5000;

export interface ServerHealthDependencies {
  readonly metadata: Pick<Metadata, 'database'>;
  readonly healthChecks: RegistryView<HealthCheck>;
  readonly errors: Pick<PluginErrors, 'report'>;
  readonly knownSecrets: Pick<KnownSecrets, 'maskIn'>;
  readonly clock?: Clock;
}

/** Looks at the metadata database and asks the plugins' checks, once for all who ask within a second. */
export function createServerHealth(deps: ServerHealthDependencies): ServerHealth {
  const { clock = systemClock } = deps;
  let last: { readonly at: number; readonly answer: Promise<readonly HealthProblem[]> } | undefined;
  /** Checks that could not answer when they were last asked: each is reported once, and again after it has answered. */
  const failing = new Set<string>();

  /** A check that throws, or ignores its signal, says that its plugin does not work. */
  async function ask({ item, owner }: RegistryEntry<HealthCheck>): Promise<readonly HealthProblem[]> {
    const problem = { kind: 'check', plugin: owner, check: item.id } as const;
    const what = `The health check '${item.id}' of plugin '${owner}'`;
    try {
      const { ok, message } = await withTimeLimit(clock, longestCheck, what, () =>
        asPlugin(owner, () => item.check(AbortSignal.timeout(longestCheck))),
      );
      failing.delete(item.id);
      return ok
        ? []
        : [{ ...problem, ...(message !== undefined && { message: deps.knownSecrets.maskIn(message) }) }];
    } catch (error) {
      if (!failing.has(item.id)) deps.errors.report(owner, `health check ${item.id}`, error);
      failing.add(item.id);
      return [problem];
    }
  }

  async function look(): Promise<readonly HealthProblem[]> {
    try {
      await deps.metadata.database.ping();
    } catch {
      // Not healthy is the answer, whatever the reason.
      return [{ kind: 'database' }];
    }
    return (await Promise.all(deps.healthChecks.entries().map(ask))).flat();
  }

  function problems(): Promise<readonly HealthProblem[]> {
    const now = clock.now();
    if (last === undefined || now - last.at > life) last = { at: now, answer: look() };
    return last.answer;
  }

  return { problems, isHealthy: async () => (await problems()).length === 0 };
}
