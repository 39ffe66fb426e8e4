/** The task of a process that makes small pictures; packages are named by path. */
export interface PictureTask {
  readonly sizes: string;
  readonly decoders: Readonly<Record<string, CodecFiles>>;
  readonly encoder: CodecFiles;
  readonly sides: readonly number[];
  readonly mostPixels: number;
  /** The most 64 KB pages of memory for a codec. */
  readonly mostPages: number;
  /** Exit codes: the process could not start, or the picture is at fault. */
  readonly ends: { readonly broken: number; readonly refused: number };
}

export interface CodecFiles {
  readonly code: string;
  readonly binary: string;
}

interface Picture {
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

interface Codec<Options, Given, Made> {
  init(binary: object): Promise<unknown>;
  default(given: Given, options?: Options): Promise<Made>;
}
type Decoder = Codec<{ readonly preserveOrientation: boolean }, Uint8Array, Picture>;
type Encoder = Codec<{ readonly quality: number }, Picture, ArrayBuffer>;

/** Part of the language, but only the browser's types declare it. */
declare const WebAssembly: { compile(binary: Uint8Array): Promise<object> };

/** Decodes a picture and writes small ones, in the order of the sides, each preceded by the number of its bytes. */
async function writeSmallPictures(task: PictureTask): Promise<void> {
  const { ends } = task;
  let end = ends.broken;
  try {
    const { constants, setPriority } = await import('node:os');
    const { setFlagsFromString } = await import('node:v8');
    const { buffer } = await import('node:stream/consumers');
    // Requests for rows have priority over those for pictures.
    setPriority(constants.priority.PRIORITY_LOW);
    setFlagsFromString(`--wasm-max-mem-pages=${task.mostPages}`);
    const { imageSize } = await packageAt<typeof import('image-size')>(task.sizes);
    const encoder = await load<Encoder>(task.encoder);
    end = ends.refused;
    const given = await buffer(process.stdin);
    const { width, height, type = '' } = imageSize(given);
    const files = task.decoders[type];
    if (files === undefined || !(width * height <= task.mostPixels)) throw new RangeError('Not to be read');
    const decoder = await load<Decoder>(files);
    const picture = await decoder.default(given, { preserveOrientation: true });
    const largest = shrink(picture, Math.max(...task.sides));
    for (const side of task.sides) {
      const made = await encoder.default(shrink(largest, side), { quality: 78 });
      const size = Buffer.alloc(4);
      size.writeUInt32BE(made.byteLength);
      process.stdout.write(Buffer.concat([size, new Uint8Array(made)]));
    }
  } catch {
    process.exitCode = end;
  }
}

async function load<Kind extends Decoder | Encoder>({ code, binary }: CodecFiles): Promise<Kind> {
  const { readFile } = await import('node:fs/promises');
  const codec = await packageAt<Kind>(code);
  await codec.init(await WebAssembly.compile(await readFile(new URL(binary))));
  return codec;
}

function packageAt<Exports>(url: string): Promise<Exports> {
  // oxlint-disable-next-line trellis/layers -- runs in a process of its own, whose program no bundle holds
  return import(url) as Promise<Exports>;
}

/** Each pixel is the mean of those that it covers, weighted by coverage and opacity. */
function shrink(picture: Picture, side: number): Picture {
  const { data, width, height } = picture;
  const scale = Math.min(1, side / Math.max(width, height));
  if (scale === 1) return picture;
  const across = shares(width, scale);
  const down = shares(height, scale);
  const line = new Float32Array(across.count * 4);
  const sums = new Float32Array(line.length * down.count);
  for (let y = 0; y < height; y += 1) {
    line.fill(0);
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      const opacity = data[from + 3] ?? 0;
      const to = (across.first[x] ?? 0) * 4;
      const share = across.share[x] ?? 0;
      for (let part = 0; part < 4; part += 1) {
        const value = part === 3 ? opacity : (data[from + part] ?? 0) * opacity;
        line[to + part] = (line[to + part] ?? 0) + value * share;
        line[to + part + 4] = (line[to + part + 4] ?? 0) + value * (across.step - share);
      }
    }
    const to = (down.first[y] ?? 0) * line.length;
    const share = down.share[y] ?? 0;
    for (let at = 0; at < line.length; at += 1) {
      const value = line[at] ?? 0;
      sums[to + at] = (sums[to + at] ?? 0) + value * share;
      sums[to + at + line.length] = (sums[to + at + line.length] ?? 0) + value * (down.step - share);
    }
  }
  const small = new Uint8ClampedArray(sums.length);
  for (let at = 0; at < sums.length; at += 4) {
    const opacity = sums[at + 3] ?? 0;
    for (let part = 0; part < 3; part += 1) small[at + part] = (sums[at + part] ?? 0) / (opacity || 1);
    small[at + 3] = opacity;
  }
  return { data: small, width: across.count, height: down.count };
}

/** For each pixel, the index of the target pixel and its share; the rest belongs to the next one. */
function shares(pixels: number, scale: number) {
  const count = Math.max(1, Math.round(pixels * scale));
  const step = count / pixels;
  const first = Uint32Array.from({ length: pixels }, (_, at) => Math.floor((at * count) / pixels));
  const share = Float64Array.from(first, (to, at) => Math.min(step, to + 1 - (at * count) / pixels));
  return { count, step, first, share };
}

/** The functions above as text: they reference only each other and what Node always has. */
export function pictureProgram(task: PictureTask): string {
  return [
    writeSmallPictures,
    load,
    packageAt,
    shrink,
    shares,
    `void ${writeSmallPictures.name}(${JSON.stringify(task)})`,
  ].join('\n');
}
