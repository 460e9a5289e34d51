import { expect, test } from 'vitest'
import { openSplitter, statements } from '../../src/lint/shell/parts.ts'
import { isTestCommand } from '../../src/lint/shell/test-command.ts'

const texts = (line: string) =>
  openSplitter()(line)?.map(({ text, joint }) => (joint === null ? text : `${text} ${joint}`))

test.each([
  ['npm test', ['npm test']],
  ['npm test;', ['npm test ;']],
  ['a && b || c; d | e', ['a &&', 'b ||', 'c ;', 'd |', 'e']],
  ['a 2>&1 &> log & b', ['a 2>&1 &> log &', 'b']],
  [
    'a "b; c" \'d; e\' `f; g` $(h; i) ${j;} \\; k',
    ['a "b; c" \'d; e\' `f; g` $(h; i) ${j;} \\; k'],
  ],
  ['echo "$(a "b)"; c)"; d', ['echo "$(a "b)"; c)" ;', 'd']],
  ['(cd x; y); z', ['(cd x; y) ;', 'z']],
  ['[[ a || b ]] && c', ['[[ a || b ]] &&', 'c']],
  ['a # b; c\nd', ['a # b; c ;', 'd']],
  ['a#b; c', ['a#b ;', 'c']],
  ['x <<< y; z', ['x <<< y ;', 'z']],
])('%j is split into commands', (line, parts) => {
  expect(texts(line)).toEqual(parts)
})

test.each([
  'if a; then b; fi',
  'for x in a b; do c; done',
  'f() { a; }',
  '{ a; b; }',
  'cat <<E\na\nE',
  'echo "a',
  "echo 'a",
  'echo $(a',
  'a) b',
])('%j is not a list of commands', (line) => {
  expect(openSplitter()(line)).toBeUndefined()
})

test('commands joined by && or | are grouped', () => {
  const groups = statements(openSplitter()('a && b; c | d\ne') ?? [])
  expect(groups.map((group) => group.map(({ text }) => text))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e'],
  ])
})

test.each([
  ['npm test', true],
  ['npm run lint -- --fix', true],
  ['npm install', false],
  ['A=1 B="x y" sudo -E make check', true],
  ['make', true],
  ['make install', false],
  ['bundle exec rspec spec', true],
  ['./node_modules/.bin/mocha', true],
  ['./vendor/bin/phpunit', true],
  ['python -m pytest', true],
  ['python setup.py install', false],
  ['./gradlew --no-daemon check', true],
  ['echo npm test', false],
])('whether %j is a test command: %j', (command, is) => {
  expect(isTestCommand(command)).toBe(is)
})
