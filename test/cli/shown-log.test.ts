import { afterEach, describe, expect, test, vi } from 'vitest'
import { shownLog } from '../../src/cli/shown-log.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const colours = '\u001B[31;1mred\u001B[0m 10 %\r\u001B[K20 %\tdone\r\n'

describe.each([
  ['on a terminal', '1', colours],
  ['in a pipe', '0', 'red 10 %\r20 %\tdone\r\n'],
])('%s', (_where, forced, shown) => {
  test('a log keeps all of its colours and progress, or loses them all', () => {
    vi.stubEnv('FORCE_COLOR', forced)
    expect(shownLog(colours)).toBe(shown)
  })

  test.each([
    ['sets the clipboard', 'a\u001B]52;c;aGVsbG8=\u0007b', 'ab'],
    ['sets the clipboard, with the other terminator', 'a\u001B]52;c;aGVsbG8=\u001B\\b', 'ab'],
    ['sets the title', 'a\u001B]0;title\u0007b', 'ab'],
    ['moves the cursor and clears', 'a\u001B[2J\u001B[1;1H\u001B[3Ab', 'ab'],
    ['requests output from the terminal', 'a\u001B[6n\u001B[c\u001BP$q"p\u001B\\b', 'ab'],
    ['resets the terminal or changes its character set', 'a\u001Bc\u001B(0\u001B#8b', 'ab'],
    ['consists of one character', 'a\u009B2J\u009D52;c;x\u0007\u0008\u007Fb', 'a2J52;c;xb'],
    ['is cut at the end of a log part', 'a\u001B', 'a'],
    ['has no end', 'a\u001B]52;c;aGVs', 'a]52;c;aGVs'],
  ])('a control sequence that %s has no effect', (_what, text, wanted) => {
    vi.stubEnv('FORCE_COLOR', forced)
    expect(shownLog(text)).toBe(wanted)
  })
})
