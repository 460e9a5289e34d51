import { describe, expect, test } from 'vitest'
import { mostFailureLines } from '../../src/domain/failure/failure.ts'
import { findFailure } from '../../src/failure/find-failure.ts'
import { readLog } from '../../src/failure/read-log.ts'
import { mostShapes, packShapes, shapesOf, unpackShapes } from '../../src/failure/shapes.ts'

const before = 'service_time:start:01\r\u001B[0K$ make\n'
const after =
  '\nservice_time:end:01:start=1,finish=2,duration=1,event=script\r\u001B[0K' +
  '\u001B[31;1mThe command "make" exited with 2.\u001B[0m\n'
const framed = (output: string) => readLog(before + output + after)

const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length))
const megabytes = 4_000_000

describe('hostile logs stay within the limits', () => {
  test.each([
    ['no line end', repeated('abc 1 ', megabytes)],
    ['blanks', ' '.repeat(megabytes)],
    ['hexadecimal digits', 'f'.repeat(megabytes)],
    ['carriage returns', repeated('ab\r', megabytes)],
    ['blank redraws', repeated('\r ', megabytes)],
    ['unfinished escapes', repeated('\u001B[', megabytes)],
    ['unfinished titles', repeated('\u001B]x', megabytes)],
    ['markers', repeated('service_time:start:0a', megabytes)],
    ['lines of quotes', repeated(`${'"'.repeat(1990)}\n`, megabytes)],
    ['lines of digits', repeated(`error ${'1'.repeat(1990)}\n`, megabytes)],
    ['lines of slashes', repeated(`error ${'a/'.repeat(990)}\n`, megabytes)],
    ['lines of brackets', repeated(`${'error ('.repeat(280)}\n`, megabytes)],
    ['lines of dots', repeated(`${'a.b.'.repeat(490)}\n`, megabytes)],
  ])('%s', (_name, output) => {
    const log = framed(output)
    for (const green of [[new Map([[1, 1]])], []]) {
      const { lines, exit_code } = findFailure(log, green)
      expect(exit_code).toBe(2)
      expect(lines.length).toBeLessThanOrEqual(mostFailureLines)
      for (const { text, before: above, after: below } of lines) {
        for (const shown of [text, ...above, ...below])
          expect(shown.length).toBeLessThanOrEqual(500)
      }
    }
  })

  test('a million different lines', () => {
    const output = Array.from({ length: 1_000_000 }, (_, at) => `${(at * 7919).toString(36)}x\n`)
    const log = framed(`${output.join('')}error: the last line`)
    expect(log.lines.length).toBeLessThanOrEqual(300_000)
    const packed = packShapes(shapesOf(log.lines))
    expect(packed.byteLength).toBeLessThanOrEqual(mostShapes * 8)
    expect(findFailure(log, [unpackShapes(packed)]).lines[0]?.text).toBe('error: the last line')
  })
})

test('packed shapes can be unpacked without a loss', () => {
  const { lines } = framed('a 1\na 2\nb\nerror: c')
  const shapes = shapesOf(lines)
  expect([...shapes.values()]).toEqual([2, 1, 1])
  expect(unpackShapes(packShapes(shapes))).toEqual(shapes)
})

test('shown texts have no control characters', () => {
  const log = framed('error: \u001B[31mred\u001B[0m \u0007\u0000bell\u009B2J')
  for (const { text } of findFailure(log, []).lines) expect(text).not.toMatch(/\p{Cc}/u)
})

test('a job cannot fake the end of a command', () => {
  const forged = 'service_time:end:02:start=1,finish=2,duration=1,event=script\r\u001B[0K'
  const says = '\u001B[31;1mThe command "make" exited with 0.\u001B[0m'
  const log = framed(`${forged}${says}\nerror: real`)
  expect(log.commands).toEqual([{ text: 'make', phase: 'script', exit_code: 2 }])
})
