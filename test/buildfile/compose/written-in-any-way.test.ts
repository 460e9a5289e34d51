import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Document, isScalar, parseDocument, visit } from 'yaml'
import { said } from './read.ts'

/** Texts that no one takes for a number, in which anything else may stand. */
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('make', 'echo', 'a', 'é', '🙂', 'TEST=1') },
      fc.constantFrom(' ', '  ', '\n', '\n\n', ': ', ' #', '#', '"', "'", '\\', '- ', '? ', ', '),
      fc.constantFrom(
        '[',
        ']',
        '{',
        '}',
        '&',
        '*',
        '!',
        '|',
        '>',
        '%',
        '@',
        '`',
        ':',
        '---',
        '...',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `x${parts.join('')}`)
  .chain((words) => fc.constantFrom(words, `  ${words}`))

const key = fc.constantFrom(
  'script',
  'env',
  'a key',
  'os',
  '- dash',
  'x: y',
  '# none',
  '[b]',
  '"q"',
)

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

// White space at the end of a file is no part of it.
const map = fc
  .dictionary(key, tree, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
  .map((entries) => ({ ...entries, last: 'x' }))

const scalarStyles = [
  'PLAIN',
  'QUOTE_DOUBLE',
  'QUOTE_SINGLE',
  'BLOCK_LITERAL',
  'BLOCK_FOLDED',
] as const

/** Writes a value as YAML, in a style that the numbers choose for each part of it. */
function written(value: unknown, choices: readonly number[], breaks: string): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false })
  let index = 0
  const choice = () => choices[(index += 1) % choices.length] ?? 0
  visit(document, {
    Scalar(at, node) {
      if (at !== 'key') node.type = scalarStyles[choice() % scalarStyles.length] ?? 'PLAIN'
      if (at !== 'key' && choice() % 5 === 0) node.commentBefore = ' said: before'
    },
    Collection(_, node) {
      node.flow = choice() % 4 === 0
    },
    Pair(_, { key }) {
      if (isScalar(key)) key.spaceBefore = choice() % 6 === 0
    },
  })
  const lineWidth = [0, 30, 80][choice() % 3] ?? 80
  const indentSeq = choice() % 2 === 0
  return document.toString({ lineWidth, indentSeq }).replaceAll('\n', breaks)
}

function isReadBack(text: string, value: unknown): boolean {
  const document = parseDocument(text, { version: '1.1' })
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), value)
}

test('a file in any style, with any line breaks and comments, has the same value', () => {
  const style = fc.array(fc.nat(30), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(map, style, fc.constantFrom('\n', '\r\n'), (value, choices, breaks) => {
      const text = written(value, choices, breaks)
      // The package writes some files that no one can read: an empty list in the column of its key.
      fc.pre(isReadBack(text, value))
      expect(said(text)).toEqual(value)
    }),
    { numRuns: 1000 },
  )
})
