import { expect, test } from 'vitest'
import { drawnStyle } from '../../src/terminal/drawn-style.ts'
import { plainStyle, restyle } from '../../src/terminal/text-style.ts'
import { wordsOf } from './notation.ts'

test.each([
  ['', ''],
  ['0', ''],
  ['1', 'bold'],
  ['31', 'ink-1'],
  ['31;1', 'ink-1 bold'],
  ['1;31;0', ''],
  ['97', 'ink-15'],
  ['41;37', 'on on-1 ink-7'],
  ['104', 'on on-12'],
  ['1;2;3;4', 'bold dim italic underline'],
  ['4:3', 'underline'],
  ['4;4:0', ''],
  ['21', 'underline'],
  ['9', 'strike'],
  ['1;2;3;4;9;22;23;24;29', ''],
  ['31;42;39;49', ''],
  ['38;5;196', 'ink-9'],
  ['48;5;22', 'on on-0'],
  ['38;2;0;205;0', 'ink-2'],
  ['38:5:196', 'ink-9'],
  ['38:2:0:205:0', 'ink-2'],
  ['38:2::0:205:0', 'ink-2'],
  ['38;5;196;1', 'ink-9 bold'],
  ['38;5;999', ''],
  ['38;5', ''],
  ['38', ''],
  ['38;7;1', 'bold'],
  ['58;5;1;3', 'italic'],
  ['7', 'on on-text ink-ground'],
  ['7;32', 'on on-2 ink-ground'],
  ['7;32;41', 'on on-2 ink-1'],
  ['7;27', ''],
  ['5', ''],
  ['77', ''],
  ['1x', ''],
  ['__proto__', ''],
  ['1'.repeat(10_000), ''],
])('%j is drawn as %j', (parameters, words) => {
  expect(wordsOf(drawnStyle(restyle(plainStyle, parameters)))).toBe(words)
})

test('earlier settings of a style are kept', () => {
  expect(wordsOf(drawnStyle(restyle(restyle(plainStyle, '1'), '32')))).toBe('ink-2 bold')
})
