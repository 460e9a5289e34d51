import { expect, test } from 'vitest'
import { readDefinitions } from '../../../src/buildfile/env/definitions.ts'

const read = (text: string) => {
  const definitions = readDefinitions(text)
  return definitions && Object.fromEntries(definitions)
}

test.each([
  ['', {}],
  [' \n', {}],
  ['A', { A: '' }],
  ['A= B', { A: '', B: '' }],
  [' A=1\n\tB=2 ', { A: '1', B: '2' }],
  ['A=1 A=2', { A: '2' }],
  ['A=1=2, B', { A: '1=2,', B: '' }],
  ['A="x y"z B=\'it"s\' C=`date "+%s"`', { A: '"x y"z', B: "'it\"s'", C: '`date "+%s"`' }],
  ['A="say \\"hi\\"" B=a\\ b', { A: '"say \\"hi\\""', B: 'a\\ b' }],
  ['A="$(echo "x y")" B="${C}" D=$E', { A: '"$(echo "x y")"', B: '"${C}"', D: '$E' }],
  ['A="$(" B=1', { A: '"$("', B: '1' }],
  ['A=${X} B=2', { A: '${X} B=2' }],
  ["A=$(echo 'x y) B=2", { A: "$(echo 'x y) B=2" }],
  ['"A=1" "B=2"', { A: '1', B: '2' }],
  ['"note: of the compiler"', { 'note:': '' }],
  ['"A"=1 "B"x=2', { '"A"': '1', '"B"x': '2' }],
  ['é.-=1', { 'é.-': '1' }],
  ['A=\\', { A: '\\' }],
])('variables are read from %j', (text, definitions) => {
  expect(read(text)).toEqual(definitions)
})

test.each(['=1', 'A = 1', 'A="x', "A='x", 'A=`x', 'A="x\\"', '"=1" B=2'])(
  'no variables are read from %j',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)

test('a megabyte of definitions is read', () => {
  const text = Array.from({ length: 60_000 }, (_, index) => `A${index}="x y" `).join('')
  expect(readDefinitions(text)?.size).toBe(60_000)
})
