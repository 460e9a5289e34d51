import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asWord, readEnvLine } from '../../src/script/variables/env-line.ts'

const execute = promisify(execFile)

test.each([
  ['', []],
  ['A=1', ['A=1']],
  ['A=1 B=2', ['A=1', 'B=2']],
  ['  A=1 \t B=2\n', ['A=1', 'B=2']],
  ['A', ['A=']],
  ['A= B=2', ['A=', 'B=2']],
  ['A="x y" B=2', ['A="x y"', 'B=2']],
  ["A='x y' B=2", ["A='x y'", 'B=2']],
  ['A=x"y z"w B=2', ['A=x"y z"w', 'B=2']],
  [String.raw`A="say \"hi\"" B=2`, [String.raw`A="say \"hi\""`, 'B=2']],
  [String.raw`A=x\ y B=2`, [String.raw`A=x\ y`, 'B=2']],
  ['A=`echo x y` B=2', ['A=`echo x y`', 'B=2']],
  ['A=$(echo x y) B=2', ['A=$(echo x y)', 'B=2']],
  ['A=$(echo $(date) "x )") B=2', ['A=$(echo $(date) "x )")', 'B=2']],
  ['A="$(echo "x y")" B=2', ['A="$(echo "x y")"', 'B=2']],
  ['A=${X:-a b} B=2', ['A=${X:-a b}', 'B=2']],
  ['A=$B C=$', ['A=$B', 'C=$']],
  ['A=x=y', ['A=x=y']],
  ['"A=x y"', ['A="x y"']],
  ['"A=1" B=2', ['A=1', 'B=2']],
  ["A=it's", undefined],
  ['A="open', undefined],
  ['A=`open', undefined],
  ['A=$(open', undefined],
  ['A=${open', undefined],
  ['=1', undefined],
  ['A = 1', undefined],
])('%j is read as %j', (line, expected) => {
  const read = readEnvLine(line)?.map(({ name, value }) => `${name}=${value}`)
  expect(read).toEqual(expected)
})

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['two words', '"two words"'],
  ['"two words"', '"two words"'],
  ["it's", `"it's"`],
  ['say "hi" now', String.raw`"say \"hi\" now"`],
  [String.raw`say \"hi\" now`, String.raw`"say \"hi\" now"`],
  ['a b\\', String.raw`"a b\\"`],
  ['a $HOME b', '"a $HOME b"'],
])('%j in quotes for bash is %j', (value, word) => {
  expect(asWord(value)).toBe(word)
})

test('text without characters that are special in bash is taken literally', async () => {
  const words = fc.stringMatching(/^[a-z"' \n.,:=-]{1,30}$/).filter((text) => text.includes(' '))
  await fc.assert(
    fc.asyncProperty(words, async (text) => {
      fc.pre(asWord(text) !== text)
      const { stdout } = await execute('bash', ['-c', `printf '%s\\0' ${asWord(text)}`])
      expect(stdout).toBe(`${text}\0`)
    }),
    { numRuns: 50 },
  )
})

test('no text makes the reader fail or take long', () => {
  const signs = fc.constantFrom('$(', '${', '"', "'", '`', '\\', ' ', 'A', '=', ')', '}')
  const text = fc.array(signs, { size: 'max', maxLength: 5000 }).map((all) => all.join(''))
  fc.assert(fc.property(text, (line) => readEnvLine(line) === undefined || asWord(line) !== null))
  expect(readEnvLine(`A=${'$('.repeat(300_000)}`)).toBeUndefined()
  expect(readEnvLine(`"${'A'.repeat(1_000_000)}"`)).toHaveLength(1)
})
