import { expect, test } from 'vitest'
import { withoutMarkers } from '../../src/domain/log/without-markers.ts'

const clear = '\r\u001B[0K'

test.each([
  ['plain\r\n', 'plain\r\n'],
  [`service_fold:start:install${clear}$ make\r\n`, '$ make\r\n'],
  [`done service_fold:end:install${clear}`, 'done '],
  [`service_time:start:0a${clear}service_time:end:0a:duration=1${clear}`, ''],
  // Not the name of a fold, but a terminal erases it as well.
  [`service_fold:start:my tests${clear}x`, 'x'],
  // The end of a log part can be between the two.
  ['service_fold:end:a\r', ''],
  ['echo service_fold:start:a\n', 'echo service_fold:start:a\n'],
  ['\u001B[31mred\u001B[0m\rover', '\u001B[31mred\u001B[0m\rover'],
])('%j is shown as %j', (text, expected) => {
  expect(withoutMarkers(text)).toBe(expected)
})

const flood = 'service_fold:'.repeat(300_000)

test.each([
  ['nothing', flood, flood],
  ['a line end', `${flood}\nx\r\n`, `${flood}\nx\r\n`],
  ['a carriage return', `${flood}\rx`, 'x'],
  ['the end of an earlier marker', `service_time:start:0a${clear}${flood}`, flood],
])('many marker prefixes followed by %s are read once each', (_what, text, expected) => {
  expect(withoutMarkers(text) === expected).toBe(true)
})
