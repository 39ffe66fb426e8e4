import {
  PluginInstallerToken,
  TasksToken,
  type AccessScope,
  type PluginChangeOptions,
  type PluginChangeStep,
  type RouteRequest,
  type ServerPluginContext,
  type TaskContext,
  type TaskKind,
} from '@trellis/sdk/server';
import { defineErrors, TrellisError, type PluginAsks } from '@trellis/sdk/shared';
import { changeKinds, changeTitle, stepWords, type ColumnFailure } from '../shared/index.ts';
import { pluginAccess } from './plugin-access.ts';
import { installed, removed, removedWithData, usedVersion, type PluginDeed } from './plugin-deeds.ts';
import { columnRelease } from './release-column.ts';
import { filterRelease } from './release-filter.ts';

const changeErrors = defineErrors({
  PLUGIN_CHANGE_STOPPED: { status: 409, message: 'It was cancelled, and everything is as before.' },
  PLUGIN_CHANGE_FAILED: { status: 500, message: '{reason}' },
  PLUGIN_COLUMNS_STAY: {
    status: 409,
    message: "{count} columns could not be changed, so '{plugin}' stays: {reasons}",
  },
});

/** What every change remembers of whoever asked for it. */
interface Asked {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly ip: string;
}

export interface Installation extends Asked {
  readonly ticket: string;
  readonly consent: Partial<PluginAsks>;
  readonly formerSigner?: string;
}

export interface Use extends Asked {
  readonly consent: Partial<PluginAsks>;
}

export interface Removal extends Asked {
  readonly cascade: readonly string[];
  readonly keepData: boolean;
  readonly leaveColumns: boolean;
  /** Changes the columns of its types first. */
  readonly releaseColumns: boolean;
}

/** Kept before the first step: a run that finds it may be the second one. */
interface Begun {
  readonly isBegun: true;
}

type Run<Payload extends Asked> = TaskContext<Payload, Begun>;

const order: readonly PluginChangeStep[] = ['check', 'place', 'start', 'tidy'];
const mostReasons = 5;

/** Shows the steps of a change as the progress of its task, after those that were made before. */
function followed({ signal, progress }: TaskContext, before = 0): Required<PluginChangeOptions> {
  let done = before - 1;
  return {
    signal,
    onStep(step) {
      done += 1;
      progress({ done, total: before + order.length, note: stepWords[step] });
    },
  };
}

/** Installing, changing and removing plugins as tasks: they outlive the page that asked for them, and the server that ran them. */
export function changeTasks(ctx: ServerPluginContext): readonly TaskKind[] {
  const installer = ctx.get(PluginInstallerToken);
  const plugins = pluginAccess(ctx);
  const releaseColumn = columnRelease(ctx);
  const releaseFilter = filterRelease(ctx);
  const permission = 'pluginInstall';
  const cleanUp = ({ payload }: TaskContext) => installer.settle((payload as Asked).id);

  /** @returns whether an earlier run has begun. */
  async function begin({ checkpoint, keep }: Run<Asked>): Promise<boolean> {
    if (checkpoint === undefined) await keep({ isBegun: true });
    return checkpoint !== undefined;
  }

  async function record(run: Run<Asked>, deed: PluginDeed): Promise<void> {
    const { principal } = await run.scope();
    await plugins.record({ principal, ip: run.payload.ip }, deed, run.payload);
  }

  async function install(run: Run<Installation>): Promise<unknown> {
    const { id, version, ticket, consent, formerSigner } = run.payload;
    const isAgain = await begin(run);
    try {
      const confirmed = { consent, ...(formerSigner !== undefined && { formerSigner }) };
      await installer.install(ticket, { ...confirmed, ...followed(run) });
    } catch (error) {
      // The former run came as far as giving the ticket back.
      const isDone =
        isAgain && isRefusal(error, 'PLUGIN_PROPOSAL_GONE') && plugins.known(id)?.version === version;
      if (!isDone) throw error;
    }
    await record(run, installed(version));
    return { id };
  }

  async function switchTo(run: Run<Use>): Promise<unknown> {
    const { id, version, consent } = run.payload;
    await begin(run);
    await installer.use(id, version, { consent, ...followed(run) });
    await record(run, usedVersion(version));
    return { id };
  }

  /** One that cannot be changed does not hold the others up. @returns how many there were */
  async function releaseColumns(run: Run<Removal>): Promise<number> {
    const { payload, signal } = run;
    const { principal } = await run.scope();
    const columns = await installer.columnsToRelease(payload.id);
    const failures: ColumnFailure[] = [];
    for (const [done, column] of columns.entries()) {
      signal.throwIfAborted();
      run.progress({ done, total: columns.length + order.length, note: stepWords.columns });
      try {
        await releaseColumn({ principal, ip: payload.ip }, payload, column);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        run.logger.warn('A column could not be changed', { column: column.id, error });
        failures.push({ column: column.id, reason: error.message });
      }
    }
    if (failures.length === 0) return columns.length;
    throw changeErrors.create('PLUGIN_COLUMNS_STAY', {
      plugin: payload.name,
      count: failures.length,
      reasons: failures
        .slice(0, mostReasons)
        .map(({ reason }) => reason)
        .join(' '),
      failures,
    });
  }

  /** What a view filters by is read by whoever opens it: a comparison that nobody has would refuse all of its rows. */
  async function releaseFilters({ payload }: Run<Removal>): Promise<void> {
    for (const filter of await installer.filtersToRelease(payload.id)) await releaseFilter(payload, filter);
  }

  async function remove(run: Run<Removal>): Promise<unknown> {
    const { id, cascade, keepData, leaveColumns } = run.payload;
    const isAgain = await begin(run);
    if (!isAgain || plugins.known(id) !== undefined) {
      const before = run.payload.releaseColumns ? await releaseColumns(run) : 0;
      // Not before: a removal that is refused leaves the views as they are.
      const onStopped = () => releaseFilters(run);
      await installer.remove(id, { cascade, keepData, leaveColumns, onStopped, ...followed(run, before) });
    }
    await record(run, keepData ? removed : removedWithData);
    return {};
  }

  return [
    { id: changeKinds.install, permission, run: (run) => install(run as Run<Installation>), cleanUp },
    { id: changeKinds.use, permission, run: (run) => switchTo(run as Run<Use>), cleanUp },
    { id: changeKinds.remove, permission, run: (run) => remove(run as Run<Removal>) },
  ];
}

/**
 * Starts a change and waits for its end. Whoever hangs up leaves it to go on.
 *
 * @throws TrellisError what refused the change, and `PLUGIN_CHANGE_STOPPED`.
 */
export function changeStarter(ctx: ServerPluginContext) {
  const tasks = ctx.get(TasksToken);
  return async <Payload extends Asked>(
    { scope, signal }: Pick<RouteRequest, 'signal'> & { readonly scope: AccessScope },
    kind: keyof typeof changeKinds,
    payload: Payload,
  ): Promise<void> => {
    const input = { kind: changeKinds[kind], title: titleOf(kind, payload), payload };
    const { id } = await tasks.start(scope, input);
    const { task, failure } = await tasks.ended(scope, id, signal);
    if (task.state === 'done') return;
    if (task.state === 'cancelled') throw changeErrors.create('PLUGIN_CHANGE_STOPPED');
    if (failure !== undefined) throw failure;
    throw changeErrors.create('PLUGIN_CHANGE_FAILED', { reason: task.error ?? '' });
  };
}

function titleOf(kind: keyof typeof changeKinds, { name, version }: Asked): string {
  return changeTitle(kind, kind === 'remove' ? name : `${name} ${version}`);
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof TrellisError && error.code === code;
}
