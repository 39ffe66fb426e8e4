import { expect, test } from '@jest/globals';
import { fillTemplate, placeholderFor, templateBudget, templateValue } from './template.ts';

const values = { row: { 'First name': 'Ada', Hours: 7 }, steps: {} };

test('placeholders take own values alone, in brackets or not, and as JSON', () => {
  expect(fillTemplate('{{row.[First name]}} {{row.First name}} {{{row.Hours}}}', values)).toBe('Ada Ada 7');
  expect(fillTemplate('{{json row}} {{row.constructor}}{{row.__proto__}}{{nobody.x}}', values)).toBe(
    '{"First name":"Ada","Hours":7} ',
  );
});

test('a brace of JSON may follow a placeholder', () => {
  expect(fillTemplate('{"of":{"hours":{{row.Hours}}}}', values)).toBe('{"of":{"hours":7}}');
});

test('one placeholder alone is its value, not its text', () => {
  expect(templateValue(' {{row.Hours}} ', values)).toBe(7);
  expect(templateValue('{{row.Hours}} h', values)).toBe('7 h');
  expect(templateValue('{{steps.none.key}}', values)).toBeUndefined();
});

test('a placeholder is written so that it is found again, and unknown words are told', () => {
  expect(fillTemplate(placeholderFor(['row', 'First name']), values)).toBe('Ada');
});

test('a long text is read in the time of its length, whatever stands in it', () => {
  const begin = process.cpuUsage();
  for (const part of [' ', '[', 'json ', '{', '{{', '{{{ ', '{{x', '[x]'])
    for (const begin of ['{{', '{{{', ''])
      fillTemplate(`${begin}${part.repeat(100_000 / part.length)}`, values);
  expect(fillTemplate(`{{row.${'['.repeat(50_000)}}}`, values)).toBe('');
  expect(
    fillTemplate(`{{${' '.repeat(50_000)}json${' '.repeat(50_000)}row.Hours${' '.repeat(50_000)}}}`, values),
  ).toBe('7');
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(2000);
});

test('no text becomes longer than 256 KB, and neither do those that go out together', () => {
  const most = 256 * 1024;
  const text = 'x'.repeat(most / 4);
  const four = '{{row.T}}{{row.T}}{{row.T}}{{row.T}}';
  // The template itself is counted, too.
  const full = { row: { T: text.slice(four.length / 4) } };
  expect(fillTemplate(four, full)).toHaveLength(most - four.length);
  const over = { row: { T: text } };
  expect(() => fillTemplate(four, over)).toThrow(RangeError);
  expect(() => templateValue(`${four} `, over)).toThrow('longer than 256 KB');
  expect(() => fillTemplate(`{{json row}}`, { row: { T: 'x'.repeat(most) } })).toThrow(RangeError);
  expect(() => fillTemplate('x'.repeat(most + 1), {})).toThrow(RangeError);
  const budget = templateBudget();
  const same = (texts: string) => texts;
  for (let times = 0; times < 3; times += 1) fillTemplate('{{row.T}}', over, same, budget);
  expect(() => fillTemplate('{{row.T}}', over, same, budget)).toThrow(RangeError);
});
