import { expect, test } from '@jest/globals';
import { cellShapes, templateProblems, variablesShape, type TemplateShape } from './template-check.ts';
import { variablesIn } from './template.ts';

const row: TemplateShape = {
  names: cellShapes([
    { title: 'Title', storage: 'string' },
    { title: 'First name', storage: 'text' },
    { title: 'Extra', storage: 'json' },
    { title: 'Links', storage: 'virtual' },
  ]),
};
const shape: TemplateShape = {
  names: { row, rows: { each: row }, user: { names: { email: 'value' } }, env: variablesShape(['KEY']) },
};
const told = (template: string) =>
  templateProblems(template, shape).map(({ kind, below, name, meant, line }) => ({
    kind,
    below,
    name,
    meant,
    line,
  }));

test('placeholders behind which something stands are no problem, to the end of their paths', () => {
  const fine =
    '{{row.Title}} {{json row}} {{row.[First name]}} {{row.Extra.deep.er}} {{row.Links.0.x}} {{rows.0.Title}} {{env.KEY}}';
  expect(templateProblems(fine, shape)).toEqual([]);
});

test.each([
  ['{{who.x}}', { kind: 'unknown', below: '', name: 'who' }],
  ['{{}}', { kind: 'unknown', below: '', name: '' }],
  ['{{row.title}}', { kind: 'unknown', below: 'row', name: 'title', meant: 'Title' }],
  ['{{row.first_name}}', { kind: 'unknown', below: 'row', name: 'first_name', meant: 'First name' }],
  ['{{row.Title.length}}', { kind: 'deep', below: 'row.Title', name: 'length' }],
  ['{{rows.Title}}', { kind: 'unknown', below: 'rows', name: 'Title' }],
  ['{{rows.0.Nope}}', { kind: 'unknown', below: 'rows.0', name: 'Nope' }],
  ['{{user.constructor}}', { kind: 'unknown', below: 'user', name: 'constructor' }],
  ['{{env.key}}', { kind: 'unknown', below: 'env', name: 'key', meant: 'KEY' }],
  ['{{json env}}', { kind: 'whole', below: '', name: 'env' }],
])('%s is told', (template, problem) => {
  expect(told(template)).toEqual([{ meant: undefined, line: 1, ...problem }]);
});

test('the line of a placeholder is told', () => {
  expect(told('{\n"a": "{{row.Title}}",\n"b": "{{row.Nope}}"}')).toMatchObject([{ name: 'Nope', line: 3 }]);
});

test.each([
  ['Hello {{row.Title', '{{row.Title', 1],
  ['{{row.Title} and more', '{{row.Title} and more', 1],
  ['{\n"a": "{{row.Title}}",\n"b": "{{row.Title"}', '{{row.Title"}', 3],
  ['{{row.Title}} {{ {{row.Title}}', '{{', 1],
  [`{{${'long'.repeat(20)}`, `{{${'long'.repeat(9)}l…`, 1],
])('of %j a placeholder is told that is not closed', (template, text, line) => {
  expect(templateProblems(template, shape)).toEqual([
    { text, line, kind: 'open', below: '', name: '', meant: undefined },
  ]);
});

test('braces of JSON are no placeholders', () => {
  expect(templateProblems('{"a":{"b":{{json row}}},"c":{"d":{}}} { {', shape)).toEqual([]);
});

test('what is wrong is told in the order in which it stands there', () => {
  const template = '{{row.Nope}} {{row.Title {{who}}';
  expect(told(template).map(({ kind }) => kind)).toEqual(['unknown', 'open', 'unknown']);
});

test('variables are found wherever they stand in settings, each once', () => {
  const settings = {
    url: '{{env.HOST}}',
    list: [{ value: 'Key {{ json env.KEY }}{{env.HOST}}' }],
    row: '{{row.env}}',
  };
  expect(variablesIn(settings)).toEqual(['HOST', 'KEY']);
  expect(variablesIn('{{json env}}')).toEqual(['{{json env}}']);
});
