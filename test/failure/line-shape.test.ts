import { expect, test } from 'vitest'
import { lineShape } from '../../src/failure/line-shape.ts'
import { plainLine } from '../../src/failure/plain-line.ts'

test.each([
  ['Finished in 0.03s', 'Finished in 1m'],
  ['took 999 ms', 'took 1.02 s'],
  ['2026-01-02T12:00:07.123Z ready', '2026-11-12T01:10:17.9Z ready'],
  ['Mon, 3 Feb 2026 12:00:07 start', 'Tue, 14 Mar 2026 01:10:17 start'],
  ['id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-1111-2222-3333-abcdefabcdef'],
  ['id 3F2504E0-4F89-11D3-9A0C-0305E82C3301', 'id ABCDEFAB-1111-2222-3333-00000000ABCD'],
  ['session 7D2A9B3C4F', 'session A1B0C9D8E7F6'],
  ['HEAD is now at 1a2b3c4', 'HEAD is now at 9f8e7d6'],
  ['at 0x7ffee4c0', 'at 0x1'],
  ['wrote /tmp/pytest-of-a/x1/out.txt', 'wrote /tmp/zzz'],
  ['listening on 127.0.0.1:40123', 'listening on 127.0.0.1:1'],
  ['downloaded 12.5 kB at 3 MiB/s', 'downloaded 999 bytes at 1.1 GB/s'],
  ['[ 7/31] compiling', '[10/31] compiling'],
  ['[  3%] building', '[100%] building'],
  ['a   b\tc', 'a b c'],
])('%j and %j have the same shape', (one, other) => {
  expect(lineShape(one)).toBe(lineShape(other))
})

test.each([
  ['0 failed', '2 failed'],
  ['errors: 0', 'errors: 3'],
  ['Failures: 0', 'Failures: 2'],
  ['exited with 1', 'exited with 137'],
  ['HTTP 503', 'HTTP 404'],
  ['error E0308', 'error E0425'],
  ['TS2322: x', 'TS2345: x'],
  ['test defaced passed', 'test effaced passed'],
  ['node18', 'node20'],
  ['Feed2024 parsed', 'Feed2025 parsed'],
])('%j and %j have different shapes', (one, other) => {
  expect(lineShape(one)).not.toBe(lineShape(other))
})

test('only the last text of a redrawn line counts, without its colours', () => {
  expect(plainLine('10 %\r50 %\r\u001B[32m100 % done\u001B[0m\r')).toBe('100 % done')
  expect(plainLine('abc\b\b\bxyz')).toBe('xyz')
  expect(plainLine('plain\r')).toBe('plain')
  expect(plainLine('\u001B]8;;http://a\u0007link\u001B]8;;\u0007 \u0000text')).toBe('link text')
})
