import {
  AuditLogToken,
  auditText,
  defineRoute,
  logPageOf,
  logQuerySchema,
  SchemaStoreToken,
  toPageInfo,
  type AccessScope,
  type LogQuery,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { RunDetail } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import type { Automation } from './automation-store.ts';
import type { DueRuns } from './due-runs.ts';
import { toRunEntity, toRunStepEntity } from './entities.ts';
import { ofAutomation, requireAutomation } from './places.ts';
import { attemptsOf } from './run-attempts.ts';
import type { RunItemStore } from './run-items.ts';
import type { Run, RunStore } from './run-store.ts';
import type { TellPage } from './tell-page.ts';

const path = 'automations/:automationId/runs';

/** The log of an automation. */
export function runRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly runs: RunStore;
    readonly dueRuns: Pick<DueRuns, 'hurry' | 'tryAgain'>;
    readonly drop: (automationId: string) => Promise<number>;
    readonly items: RunItemStore;
    readonly tellPage: TellPage;
    readonly wake: (automationId: string) => void;
  },
): readonly RouteDefinition[] {
  const { runs, dueRuns, drop, items, tellPage, wake } = deps;
  const audit = ctx.get(AuditLogToken);
  const schema = ctx.get(SchemaStoreToken);

  async function runOf(automationId: string, runId: string): Promise<Run> {
    const run = await runs.byId(runId);
    if (run?.ruleId !== automationId) throw automationErrors.create('AUTOMATION_RUN_NOT_FOUND');
    return run;
  }

  /** The title of the column that names the rows of the table whose rows start the automation. */
  async function namingColumn({ tableId }: Automation, scope: AccessScope): Promise<string | undefined> {
    if (tableId === undefined) return undefined;
    const { tables } = await schema.snapshot(scope);
    return tables.get(tableId)?.displayColumn?.title;
  }

  return [
    defineRoute<Record<string, string>, LogQuery>({
      method: 'GET',
      path,
      permission: 'automationList',
      object: ofAutomation,
      summary: 'List the runs of an automation, the newest first',
      schemas: { query: logQuerySchema },
      async handle(request) {
        const { automation, scope } = requireAutomation(request);
        const page = logPageOf(request.query);
        const { list, total } = await runs.log(automation.id, page);
        const naming = await namingColumn(automation, scope);
        return { list: list.map((run) => toRunEntity(run, naming)), pageInfo: toPageInfo(page, total) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:runId`,
      permission: 'automationList',
      object: ofAutomation,
      summary: 'Read a run of an automation with its steps',
      async handle(request): Promise<RunDetail> {
        const { automation, scope } = requireAutomation(request);
        const run = await runOf(automation.id, request.params.runId ?? '');
        const naming = await namingColumn(automation, scope);
        const ofRows = await items.ofRun(run.id);
        const former = await attemptsOf(ctx.db, run.id);
        const steps = (await runs.steps(run.id)).map((step) =>
          toRunStepEntity(step, { items: ofRows.get(step.id), attempts: former.get(step.id) }),
        );
        return { ...toRunEntity(run, naming), trigger: run.values, steps };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:runId/retry`,
      permission: 'automationSet',
      object: ofAutomation,
      summary:
        'Go on with a run: one that failed from the step that failed, as the automation is set now; one that waits at once',
      async handle(request) {
        const { automation, scope } = requireAutomation(request);
        const run = await runOf(automation.id, request.params.runId ?? '');
        if (run.state === 'failed') await dueRuns.tryAgain(run.id, automation.version);
        else await dueRuns.hurry(run.id);
        wake(automation.id);
        tellPage(automation.projectId);
        return toRunEntity(await runOf(automation.id, run.id), await namingColumn(automation, scope));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/drop`,
      permission: 'automationSet',
      object: ofAutomation,
      summary:
        'Drop all runs of an automation that wait to begin; those that have begun go on. Gives how many they were',
      async handle(request): Promise<{ readonly count: number }> {
        const { automation } = requireAutomation(request);
        const { id, projectId, tableId, definition } = automation;
        const count = await drop(id);
        tellPage(projectId);
        const { principal, ip } = request;
        await audit.record({
          type: 'AUTOMATIONS',
          subType: 'DROPPED',
          principal,
          ip,
          projectId,
          tableId,
          description: auditText('{{count}} waiting runs of the automation {{title}} were dropped', {
            count: String(count),
            title: definition.title,
          }),
        });
        return { count };
      },
    }),
  ];
}
