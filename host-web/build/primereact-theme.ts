import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const id = 'virtual:primereact-theme.css';
const require = createRequire(import.meta.url);

/** Lara's colours and the tokens of `host-web/theme/tokens.css` that replace them. */
const tokens: Readonly<Record<string, string>> = {
  '#ffffff': 'surface',
  '#fff': 'surface',
  '#f9fafb': 'surface-2',
  '#f8f9fa': 'surface-2',
  '#f8f8fa': 'surface-2',
  '#f3f4f6': 'surface-3',
  '#f2f2f2': 'surface-3',
  '#f6f9fc': 'surface-3',
  '#e5e7eb': 'border',
  '#dfe7ef': 'border',
  '#d1d5db': 'border-strong',
  '#9ca3af': 'text-muted',
  '#6b7280': 'text-muted',
  '#64748b': 'text-muted',
  '#475569': 'text-muted',
  '#334155': 'text',
  '#4b5563': 'text',
  '#374151': 'text',
  '#1f2937': 'text',
  '#111827': 'text',
  '#3b82f6': 'primary',
  '#2563eb': 'primary-strong',
  '#1d4ed8': 'primary-strong',
  '#bfdbfe': 'focus-ring',
  '#9dc1fb': 'focus-ring',
  '#eff6ff': 'primary-soft',
  '#22c55e': 'success',
  '#16a34a': 'success',
  '#15803d': 'success',
  '#1ea97c': 'success',
  '#0ea5e9': 'info',
  '#0284c7': 'info',
  '#0369a1': 'info',
  '#f97316': 'warning',
  '#ea580c': 'warning',
  '#c2410c': 'warning',
  '#cc8925': 'warning',
  '#ef4444': 'danger',
  '#dc2626': 'danger',
  '#b91c1c': 'danger',
  '#e24c4c': 'danger',
  '#ea5455': 'danger',
  '#ff5757': 'danger',
};

/** Tints that Lara writes with an alpha channel, and the token of the tinted colour. */
const tints: readonly (readonly [rgb: RegExp, token: string])[] = [
  [/rgba\(59, 130, 246, 0\.\d+\)|rgba\(219, 234, 254, 0?\.\d+\)/g, 'primary-soft'],
  [/rgba\(34, 197, 94, 0\.\d+\)|rgba\(228, 248, 240, 0?\.\d+\)/g, 'success-soft'],
  [/rgba\(249, 115, 22, 0\.\d+\)|rgba\(255, 242, 226, 0?\.\d+\)/g, 'warning-soft'],
  [/rgba\(239, 68, 68, 0\.\d+\)|rgba\(255, 231, 230, 0?\.\d+\)/g, 'danger-soft'],
  [/rgba\(14, 165, 233, 0\.\d+\)|rgba\(100, 116, 139, 0\.\d+\)/g, 'hover'],
];

/** Matches a module of ours that draws a PrimeReact control, or re-exports one. */
const importsControl = /\bfrom\s*['"]primereact\/(?!api['"])/;

/**
 * PrimeReact's Lara theme with its colours replaced by the tokens of Trellis.
 *
 * So one style sheet serves light, dark and every theme, nothing is replaced at run time, and the 700 kB of Inter that Lara
 * contains are omitted. The sheet is six times as long as all other sheets of the page together, so it is loaded with the first
 * module of ours that imports a control.
 */
export function primeReactTheme(): Plugin {
  return {
    name: 'trellis-primereact-theme',
    enforce: 'pre',
    resolveId(source) {
      return source === id ? id : undefined;
    },
    async load(source) {
      if (source !== id) return undefined;
      const file = require.resolve('primereact/resources/themes/lara-light-blue/theme.css');
      // This theme may be the page's first sheet, so it declares the order of the layers too.
      return `@layer trellis-base, primereact;\n${withTokens(await readFile(file, 'utf8'))}`;
    },
    transform(code, module) {
      if (module.includes('/node_modules/') || !importsControl.test(code)) return undefined;
      return { code: `${code}\nimport '${id}';\n`, map: null };
    },
  };
}

/** Replaces colours by tokens in every declaration except those that define PrimeReact's own palettes. */
export function withTokens(css: string): string {
  return css
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(
      /([\w-]+)(\s*:\s*)([^;{}]+)(?=[;}])/g,
      (whole, property: string, colon: string, value: string) => {
        if (/^--[a-z]+-\d+$/.test(property)) return whole;
        if (property === 'font-family' || property === '--font-family') {
          return `${property}${colon}var(--trellis-font)`;
        }
        if (property === 'color-scheme' || /^(--)?font-(feature|variation)-settings$/.test(property))
          return '';
        return `${property}${colon}${replaceColours(property, value)}`;
      },
    );
}

function replaceColours(property: string, value: string): string {
  const solid = value.replace(/#[0-9a-f]{3,6}\b/gi, (colour) => {
    const token = tokens[colour.toLowerCase()];
    if (token === undefined) return colour;
    // White text on the primary colour needs the contrast token; white areas are surfaces.
    const onPrimary = token === 'surface' && (property === 'color' || property.endsWith('text'));
    return `var(--trellis-${onPrimary ? 'primary-contrast' : token})`;
  });
  return tints.reduce((text, [rgb, token]) => text.replace(rgb, `var(--trellis-${token})`), solid);
}
