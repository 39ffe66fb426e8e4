import type { ExternalBaseInput, ProjectInput } from '@trellis/sdk/server';
import { defineErrors, type JsonSchema } from '@trellis/sdk/shared';

const projectErrors = defineErrors({
  PROJECT_TITLE_REQUIRED: { status: 400, message: 'Project title is required' },
  PROJECT_TITLE_LONG: { status: 400, message: 'Project title exceeds 50 characters' },
  PROJECT_BASES_MISSING: {
    status: 400,
    message:
      'A project on an external database needs exactly one entry in `bases`, with `type` and `config`.',
  },
});

/** The body of clients; they may send whole projects back, so further keys are ignored. */
export interface ProjectBody {
  readonly title?: string;
  readonly description?: string | null;
  readonly color?: string | null;
  readonly meta?: Readonly<Record<string, unknown>> | null;
  readonly external?: boolean | null;
  readonly bases?: readonly BaseBody[];
}

/** An existing database in a body. */
export interface BaseBody {
  readonly type: ExternalBaseInput['type'];
  readonly alias?: string | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly settings?: Readonly<Record<string, unknown>> | null;
  readonly inflection_table?: 'camelize' | 'none' | null;
  readonly inflection_column?: 'camelize' | 'none' | null;
}

const inflection: JsonSchema = { enum: ['camelize', 'none', null] };

export const baseSchema: JsonSchema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', maxLength: 100 },
    alias: { type: ['string', 'null'], maxLength: 100 },
    config: { type: ['object', 'null'] },
    settings: { type: ['object', 'null'] },
    inflection_table: inflection,
    inflection_column: inflection,
  },
};

export const projectBodySchema: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 1000 },
    description: { type: ['string', 'null'], maxLength: 10_000 },
    color: { type: ['string', 'null'], pattern: '^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' },
    meta: { type: ['object', 'null'] },
    external: { type: ['boolean', 'null'] },
    bases: {
      type: 'array',
      maxItems: 1,
      items: baseSchema,
    },
  },
};

function titleOf(title: string | undefined): string {
  const trimmed = title?.trim() ?? '';
  if (trimmed === '') throw projectErrors.create('PROJECT_TITLE_REQUIRED');
  if (trimmed.length > 50) throw projectErrors.create('PROJECT_TITLE_LONG');
  return trimmed;
}

function externalOf(body: ProjectBody): ExternalBaseInput | undefined {
  if (!body.external) return undefined;
  const base = body.bases?.[0];
  if (base === undefined) throw projectErrors.create('PROJECT_BASES_MISSING');
  return readBase(base);
}

/** Parses an existing database from a body. */
export function readBase(base: BaseBody): ExternalBaseInput {
  return {
    type: base.type,
    config: base.config ?? undefined,
    settings: base.settings ?? undefined,
    alias: base.alias ?? undefined,
    inflectionTable: base.inflection_table ?? 'camelize',
    inflectionColumn: base.inflection_column ?? 'camelize',
  };
}

/** Parses a new project from a body. */
export function readNewProject(body: ProjectBody): ProjectInput {
  return {
    title: titleOf(body.title),
    description: body.description ?? undefined,
    color: body.color ?? undefined,
    meta: body.meta ?? undefined,
    external: externalOf(body),
  };
}

/** Parses the changes in a body; absent keys stay unchanged. */
export function readProjectPatch(body: ProjectBody): Partial<Omit<ProjectInput, 'external'>> {
  return {
    ...(body.title !== undefined && { title: titleOf(body.title) }),
    ...(body.description !== undefined && { description: body.description ?? undefined }),
    ...(body.color !== undefined && { color: body.color ?? undefined }),
    ...(body.meta !== undefined && { meta: body.meta ?? undefined }),
  };
}
