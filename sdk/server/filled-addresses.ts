import { defineErrors } from '../shared/index.ts';

const errors = defineErrors({
  CHANNEL_SEVERAL: {
    status: 400,
    message: 'A placeholder of an address stands for one address: write several beside each other.',
  },
});

/**
 * The addresses of a template with commas between them, for each part that somebody wrote: several where a cell holds several. Whoever fills in
 * a form must not choose how many people are told, so a part of several is to be refused, or looked at closely.
 *
 * @param fill fills the placeholders of one part in
 * @public
 */
export function filledAddresses(
  template: unknown,
  fill: (part: string) => string,
): readonly (readonly string[])[] {
  const pieces = typeof template === 'string' ? template.split(/(\{\{[^{}]*\}\})/) : [];
  // The names of columns in placeholders may hold commas, too.
  const isPlaceholder = (at: number) => at % 2 === 1;
  return pieces
    .map((piece, at) => (isPlaceholder(at) ? piece : piece.replaceAll(/[,;]/g, '\n')))
    .join('')
    .split('\n')
    .map((part) =>
      fill(part)
        .split(/[,;\n]/)
        .map((address) => address.trim())
        .filter((address) => address !== ''),
    )
    .filter(({ length }) => length > 0);
}

/**
 * The settings of a channel with the placeholders of their texts filled in; `to` names who is told, with commas between them.
 *
 * @throws TrellisError 400 `CHANNEL_SEVERAL` where a cell names several, final for this message
 * @public
 */
export function filledChannelSettings(
  settings: Readonly<Record<string, unknown>>,
  fill: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const filled = Object.entries(settings).map(([key, value]) => {
    if (typeof value !== 'string') return [key, value] as const;
    if (key !== 'to') return [key, fill(value)] as const;
    const parts = filledAddresses(value, fill);
    if (parts.some(({ length }) => length > 1)) throw errors.create('CHANNEL_SEVERAL', { final: 'message' });
    return [key, parts.flat().join(', ')] as const;
  });
  return Object.fromEntries(filled);
}
