import { defineColumnType, nestsDeeperThan, type CellValue, type ParseResult } from '@trellis/sdk/shared';

/** How deep the lists of coordinates of a shape nest: a point is one list. */
const depths: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};
const deepest = 20;

const refused: ParseResult<string> = {
  ok: false,
  message:
    'must be GeoJSON such as {"type":"Point","coordinates":[11.5,48.1]}, or WKT such as POINT (11.5 48.1)',
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areCoordinates(value: unknown, depth: number): boolean {
  if (!Array.isArray(value)) return false;
  if (depth > 0) return value.every((item) => areCoordinates(item, depth - 1));
  return value.length >= 2 && value.length <= 4 && value.every((item) => Number.isFinite(item));
}

function isGeoJson(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type } = value;
  const every = (list: unknown, holds: (item: unknown) => boolean) =>
    Array.isArray(list) && list.every(holds);
  if (type === 'Feature') return value.geometry === null || isGeoJson(value.geometry);
  if (type === 'FeatureCollection') return every(value.features, isGeoJson);
  if (type === 'GeometryCollection') return every(value.geometries, isGeoJson);
  return (
    typeof type === 'string' &&
    Object.hasOwn(depths, type) &&
    areCoordinates(value.coordinates, depths[type] ?? 0)
  );
}

const shapes = 'POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION';
const wktWord = new RegExp(`^(?:${shapes}|EMPTY|Z|M|ZM)$`);

/** Checks shape names, numbers and balanced brackets; the exact syntax of each shape is left to its readers. */
function isWkt(text: string): boolean {
  const body = text.replace(/^SRID=\d{1,9};/i, '').toUpperCase();
  if (!new RegExp(`^(?:${shapes})\\b`).test(body)) return false;
  let open = 0;
  for (const [part] of body.matchAll(/[()]|[^\s(),]+/g)) {
    if (part === '(') open += 1;
    else if (part === ')') open -= 1;
    else if (!wktWord.test(part) && !Number.isFinite(Number(part))) return false;
    if (open < 0) return false;
  }
  return open === 0 && (body.includes('(') || body.endsWith('EMPTY'));
}

function parse(input: unknown): ParseResult<string> {
  if (input === null || input === undefined || input === '') return { ok: true, value: null };
  if (isRecord(input))
    return !nestsDeeperThan(input as CellValue, deepest) && isGeoJson(input)
      ? { ok: true, value: JSON.stringify(input) }
      : refused;
  if (typeof input !== 'string' || input.includes('\0')) return refused;
  const text = input.trim();
  if (!text.startsWith('{')) return isWkt(text) ? { ok: true, value: text } : refused;
  try {
    const value = JSON.parse(text) as CellValue;
    return !nestsDeeperThan(value, deepest) && isGeoJson(value) ? { ok: true, value: text } : refused;
  } catch {
    return refused;
  }
}

/** A shape on a map, as GeoJSON or WKT. */
export const geometry = defineColumnType<string>({
  id: 'Geometry',
  label: 'Geometry',
  description: 'A shape on a map, as GeoJSON or WKT.',
  icon: 'map-marker',
  storage: 'text',
  accepts: ['text', 'string', 'json', 'binary'],
  fallback: 'LongText',
  takesDefault: false,
  operators: ['like', 'nlike', 'empty', 'notempty', 'null', 'notnull'],
  order: 94,
  parse,
  format: (value) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)),
  guess: (samples) =>
    samples.every((text) => text.length < 100_000 && text.trim() !== '' && parse(text).ok) ? 0.97 : 0,
  examples: [
    { input: 'POINT (11.5 48.1)', value: 'POINT (11.5 48.1)' },
    { input: 'SRID=4326;Polygon((0 0, 1 0, 1 1, 0 0))', value: 'SRID=4326;Polygon((0 0, 1 0, 1 1, 0 0))' },
    {
      input: { type: 'Point', coordinates: [11.5, 48.1] },
      value: '{"type":"Point","coordinates":[11.5,48.1]}',
    },
    { input: 'LINESTRING EMPTY', value: 'LINESTRING EMPTY' },
    { input: null, value: null },
  ],
  invalid: [
    'somewhere',
    'POINT (11.5',
    'POINT (a b)',
    '{"type":"Point"}',
    { type: 'Point', coordinates: ['11.5', 48.1] },
    { type: 'Polygon', coordinates: [11.5, 48.1] },
    '{"type":',
    12,
  ],
  width: 240,
});
