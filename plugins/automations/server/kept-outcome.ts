import type { Problem } from '../shared/index.ts';

/** The input and result of a step's try, as stored in its row. */
export interface KeptOutcome {
  readonly input: string | null;
  readonly error: string | null;
  readonly duration_ms: number | string | null;
}

export function toOutcome({ input, error, duration_ms }: KeptOutcome): {
  readonly input: unknown;
  readonly error: Problem | null;
  readonly duration_ms: number | null;
} {
  return {
    input: jsonOf(input),
    error: jsonOf(error) as Problem | null,
    duration_ms: duration_ms === null ? null : Number(duration_ms),
  };
}

export function jsonOf(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
