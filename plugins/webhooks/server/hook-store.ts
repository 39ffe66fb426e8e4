import { randomBytes } from 'node:crypto';
import {
  keptPrincipal,
  type PluginDatabase,
  type PluginUnit,
  type Principal,
  type Secrets,
} from '@trellis/sdk/server';
import type { FilterNode, MovedConditions } from '@trellis/sdk/shared';
import type { HookEntity, HookNotification, HookOperation } from '../shared/index.ts';

/** The settings of a webhook besides its conditions. */
export interface HookSettings extends Pick<
  HookEntity,
  | 'title'
  | 'description'
  | 'env'
  | 'type'
  | 'event'
  | 'async'
  | 'payload'
  | 'url'
  | 'headers'
  | 'condition'
  | 'retries'
  | 'retry_interval'
  | 'timeout'
  | 'columns'
  | 'batch'
  | 'view_id'
> {
  readonly notification: HookNotification;
}

/** Keys by which a receiver verifies that a request comes from this server. */
export interface SigningSecrets {
  readonly current: string;
  /** The former secret, valid for a while after the change. */
  readonly previous?: { readonly secret: string; readonly until: number };
}

/** A webhook. Times are in milliseconds since 1970. */
export interface Hook {
  readonly id: string;
  readonly projectId: string;
  readonly baseId: string;
  readonly tableId: string;
  /** The owner: the webhook works as long as they may manage webhooks of the table and see the whole table. */
  readonly owner: Principal;
  readonly operation: HookOperation;
  readonly active: boolean;
  readonly settings: HookSettings;
  readonly secrets: SigningSecrets;
  /** The conditions on a row after a change, and before it if it existed. */
  readonly filters: readonly FilterNode[];
  readonly before: readonly FilterNode[];
  readonly paused: string | undefined;
  /**
   * The number of events since it was paused, or its channel was switched off, that were not stored: because enough were waiting,
   * or because its conditions could not be evaluated.
   */
  readonly dropped: number;
  readonly failures: number;
  readonly retryAt: number;
  /** The end of the change log when it was made: only later changes are reported. Undefined for old webhooks. */
  readonly logPlace: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What changes of a webhook. */
export type HookPatch = Partial<
  Pick<
    Hook,
    | 'owner'
    | 'operation'
    | 'active'
    | 'settings'
    | 'secrets'
    | 'filters'
    | 'before'
    | 'paused'
    | 'failures'
    | 'retryAt'
    | 'updatedAt'
  >
>;

interface HookRow {
  readonly id: string;
  readonly project_id: string;
  readonly base_id: string;
  readonly table_id: string;
  readonly owner_id: string;
  readonly owner: string | null;
  readonly operation: HookOperation;
  readonly active: boolean | number | string;
  readonly sealed: string;
  readonly filters: string;
  readonly paused: string | null;
  readonly dropped: number | string | null;
  readonly failures: number | string;
  readonly retry_at: number | string;
  readonly log_place: number | string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** Defaults of settings that earlier webhooks lack. */
const usual: Pick<HookSettings, 'batch' | 'view_id'> = { batch: false, view_id: null };
/** The shape of the ids of conditions. */
const conditionId = /^fi_[0-9a-z]{14}$/;
const purpose = 'webhook';
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `hk_` and 14 letters or digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(14), (byte) => digits[byte % digits.length]).join('')}`;
}

export function newSigningSecret(): string {
  return `whsec_${randomBytes(30).toString('base64url')}`;
}

/** The webhooks of tables. */
export class HookStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;

  constructor(db: PluginDatabase, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  async byId(id: string): Promise<Hook | undefined> {
    const row = await this.#db.read((unit) => unit.first<HookRow>(unit.table('hook').where({ id })));
    return row && this.#toHook(row);
  }

  /** The ids of the tables that have webhooks which are on. */
  async tables(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.read((unit) =>
      unit.all<Pick<HookRow, 'table_id'>>(unit.table('hook').where({ active: true }).distinct('table_id')),
    );
    return new Set(rows.map(({ table_id }) => table_id));
  }

  /** In the order in which they were made. */
  async ofTables(tableIds: readonly string[]): Promise<readonly Hook[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<HookRow>(
        unit
          .table('hook')
          .whereIn('table_id', [...tableIds])
          .orderBy(['created_at', 'id']),
      ),
    );
    return rows.map((row) => this.#toHook(row));
  }

  /** Those that are on, of all projects. */
  async ofActive(): Promise<readonly Hook[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<HookRow>(unit.table('hook').where({ active: true }).orderBy(['created_at', 'id'])),
    );
    return rows.map((row) => this.#toHook(row));
  }

  async add(hook: Hook): Promise<void> {
    const { id, projectId, baseId, tableId, owner, operation, active, logPlace, createdAt } = hook;
    const row = {
      id,
      project_id: projectId,
      base_id: baseId,
      table_id: tableId,
      ...ownerColumns(owner),
      operation,
      active,
      sealed: this.#seal(hook),
      filters: conditionText(hook),
      paused: null,
      failures: 0,
      retry_at: 0,
      log_place: logPlace ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    };
    await this.#db.write((unit) => unit.run(unit.table('hook').insert(row)));
  }

  /** Returns the changed webhook; undefined if it is gone. */
  async change(id: string, patch: (hook: Hook) => HookPatch): Promise<Hook | undefined> {
    return this.#db.write(async (unit) => {
      const row = await unit.first<HookRow>(unit.table('hook').where({ id }).forUpdate());
      if (row === undefined) return undefined;
      const before = this.#toHook(row);
      const change = patch(before);
      const after: Hook = {
        ...before,
        ...change,
        // Counted anew from the next pause on.
        dropped: 'paused' in change && change.paused === undefined ? 0 : before.dropped,
      };
      const values = {
        ...ownerColumns(after.owner),
        operation: after.operation,
        active: after.active,
        filters: conditionText(after),
        paused: after.paused ?? null,
        dropped: after.dropped,
        failures: after.failures,
        retry_at: after.retryAt,
        updated_at: after.updatedAt,
        ...((change.settings !== undefined || change.secrets !== undefined) && { sealed: this.#seal(after) }),
      };
      await unit.run(unit.table('hook').where({ id }).update(values));
      return after;
    });
  }

  /**
   * Updates conditions after values changed, in the transaction of `unit`. A webhook that asks for a value which no longer exists
   * is paused. Returns the ids of those.
   */
  async move(
    unit: PluginUnit,
    { tableId, filters, isGone }: MovedConditions,
    reason: string,
  ): Promise<readonly string[]> {
    const stopped: string[] = [];
    const rows = await unit.all<HookRow>(unit.table('hook').where({ table_id: tableId }).forUpdate());
    for (const { id, filters: text, paused } of rows) {
      const kept = readConditionText(text);
      const moved = { filters: filters(kept.filters), before: filters(kept.before) };
      const change = {
        filters: conditionText(moved),
        paused: isGone([...kept.filters, ...kept.before]) ? (paused ?? reason) : paused,
      };
      if (change.filters === conditionText(kept) && change.paused === paused) continue;
      await unit.run(
        unit
          .table('hook')
          .where({ id })
          .update({ ...change, updated_at: Date.now() }),
      );
      if (change.paused !== paused) stopped.push(id);
    }
    return stopped;
  }

  /** The webhook that contains a condition with this id, in one project or, without it, in any. */
  async withCondition(filterId: string, projectId?: string): Promise<Hook | undefined> {
    if (!conditionId.test(filterId)) return undefined;
    const rows = await this.#db.read((unit) =>
      unit.all<HookRow>(
        unit
          .table('hook')
          .where('filters', 'like', `%"${filterId}"%`)
          .andWhere(projectId === undefined ? {} : { project_id: projectId }),
      ),
    );
    // `_` stands for any character there, and a value may hold the text of an id.
    return rows
      .map((row) => this.#toHook(row))
      .find((hook) => idsOf([...hook.filters, ...hook.before]).includes(filterId));
  }

  /** Counts events that were not kept. */
  async countDropped(id: string, count: number): Promise<void> {
    await this.#db.write((unit) => {
      const own = unit.table('hook').where({ id });
      return unit.runLast([
        own.clone().whereNull('dropped').update({ dropped: 0 }),
        own.clone().increment('dropped', count),
      ]);
    });
  }

  /** Its deliveries, which may be many, are left to `DeliverySweep.forget`. Gives whether it was there. */
  async remove(id: string): Promise<boolean> {
    return this.#db.write(async (unit) => (await unit.run(unit.table('hook').where({ id }).delete())) > 0);
  }

  async countOf(projectId: string): Promise<number> {
    const row = await this.#db.read((unit) =>
      unit.first<{ readonly count: number | string }>(
        unit.table('hook').where({ project_id: projectId }).count({ count: '*' }),
      ),
    );
    return Number(row?.count ?? 0);
  }

  /** Gives the ids of those that were there. */
  async forgetProject(projectId: string): Promise<readonly string[]> {
    return this.#db.write(async (unit) => {
      const own = unit.table('hook').where({ project_id: projectId });
      const gone = await unit.all<Pick<HookRow, 'id'>>(own.clone().select('id'));
      await unit.run(own.clone().delete());
      return gone.map(({ id }) => id);
    });
  }

  #seal({ settings, secrets }: Pick<Hook, 'settings' | 'secrets'>): string {
    return this.#secrets.encrypt(purpose, JSON.stringify({ settings, secrets }));
  }

  #toHook(row: HookRow): Hook {
    const opened = JSON.parse(this.#secrets.decrypt(purpose, row.sealed)) as Pick<
      Hook,
      'settings' | 'secrets'
    >;
    return {
      id: row.id,
      projectId: row.project_id,
      baseId: row.base_id,
      tableId: row.table_id,
      owner: ownerIn(row),
      operation: row.operation,
      active: Number(row.active) === 1,
      ...opened,
      settings: { ...usual, ...opened.settings },
      ...readConditionText(row.filters),
      paused: row.paused ?? undefined,
      dropped: Number(row.dropped ?? 0),
      failures: Number(row.failures),
      retryAt: Number(row.retry_at),
      logPlace: row.log_place === null ? undefined : Number(row.log_place),
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    };
  }
}

function ownerColumns(owner: Principal): Pick<HookRow, 'owner_id' | 'owner'> {
  return { owner_id: owner.id, owner: JSON.stringify(keptPrincipal(owner)) };
}

/** Of webhooks that were made earlier the account alone is kept. */
function ownerIn({ owner_id: id, owner }: HookRow): Principal {
  return owner === null
    ? { kind: 'user', id, email: '', accountRoles: [] }
    : (JSON.parse(owner) as Principal);
}

/** The ids of conditions, those in groups among them. */
export function idsOf(nodes: readonly FilterNode[]): readonly string[] {
  return nodes.flatMap((node) => [
    ...(node.id === undefined ? [] : [node.id]),
    ...(node.kind === 'group' ? idsOf(node.children) : []),
  ]);
}

type Conditions = Pick<Hook, 'filters' | 'before'>;

function conditionText({ filters, before }: Conditions): string {
  return JSON.stringify({ after: filters, before });
}

/** A list alone, as it was kept at first, asks for what is there after a change. */
function readConditionText(text: string): Conditions {
  const read = JSON.parse(text) as
    readonly FilterNode[] | { readonly after: readonly FilterNode[]; readonly before: readonly FilterNode[] };
  return 'after' in read ? { filters: read.after, before: read.before } : { filters: read, before: [] };
}
