/**
 * Patterns that people write are run on texts that strangers send. Their time is bounded by their form: few parts that vary, none of them within
 * another, and short texts.
 */

/** Characters of a text that a pattern is run on. */
const longestMatched = 300;
/** Parts such as `a*`, `a+`, `a{2,}`. */
const mostUnbounded = 3;
/** Those, and parts such as `a?` and `a{2,4}`. */
const mostVarying = 8;

/** What is wrong with a pattern. */
export type PatternProblem = 'broken' | 'slow';

interface Part {
  varies: boolean;
}

/** Undefined for a pattern that may be used. */
export function checkPattern(source: string): PatternProblem | undefined {
  try {
    new RegExp(source, 'u').test('');
  } catch {
    return 'broken'; // What cannot be compiled is the answer to the question.
  }
  // Classes hold no repetition, and an escaped sign is a letter.
  if (/\\[1-9k]|\(\?[=!<]/.test(source)) return 'slow';
  const plain = source.replace(/\\./gsu, 'x').replace(/\[[^\]]*\]/gu, 'x');
  return isSlow(plain) ? 'slow' : undefined;
}

function isSlow(plain: string): boolean {
  const open: Part[] = [{ varies: false }];
  let closed: Part = { varies: false };
  let unbounded = 0;
  let varying = 0;
  for (let at = 0; at < plain.length; at++) {
    const sign = plain.charAt(at);
    const inner = open.at(-1) ?? closed;
    if (sign === '(') {
      open.push({ varies: false });
      if (plain.startsWith('?:', at + 1)) at += 2;
    } else if (sign === ')') {
      closed = open.pop() ?? closed;
      const around = open.at(-1);
      if (around !== undefined && closed.varies) around.varies = true;
    } else if (sign === '|') inner.varies = true;
    else {
      const repeat = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/u.exec(plain.slice(at));
      if (repeat === null) continue;
      const [whole, from, comma, to] = repeat;
      const isGroup = plain.charAt(at - 1) === ')';
      const isOptional = whole.startsWith('?');
      if (isGroup && closed.varies && !isOptional) return true;
      at += whole.length - 1;
      if (from !== undefined && comma === '') continue;
      varying++;
      inner.varies = true;
      if (!isOptional && (to === undefined || to === '' || Number(to) > 9)) unbounded++;
    }
  }
  return unbounded > mostUnbounded || varying > mostVarying;
}

/** Whether the whole of a text matches; a text that is longer than patterns are run on does not. */
export function matchesPattern(text: string, source: string): boolean {
  if (text.length > longestMatched) return false;
  return checkPattern(source) !== undefined || new RegExp(`^(?:${source})$`, 'u').test(text);
}
