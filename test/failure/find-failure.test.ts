import { describe, expect, test } from 'vitest'
import { findFailure } from '../../src/failure/find-failure.ts'
import { isInfrastructure, kindOfLine } from '../../src/failure/proven-kind.ts'
import { readLog } from '../../src/failure/read-log.ts'
import { shapesOf } from '../../src/failure/shapes.ts'

let timer = 0

/** A command of a log as a job prints it. */
function command(name: string, output: string, code: number): string {
  timer += 1
  const id = timer.toString(16)
  const colour = code === 0 ? '32;1' : '31;1'
  return (
    `service_time:start:${id}\r\u001B[0K$ ${name}\n${output}\n` +
    `service_time:end:${id}:start=1,finish=2,duration=1,event=script\r\u001B[0K` +
    `\u001B[${colour}mThe command "${name}" exited with ${code}.\u001B[0m\n`
  )
}

const greenOf = (log: string) => shapesOf(readLog(log).lines)
const find = (red: string, ...green: string[]) => findFailure(readLog(red), green.map(greenOf))
const textsOf = ({ lines }: ReturnType<typeof find>) => lines.map(({ text }) => text)

test('a line that green runs have is no candidate, whatever it says', () => {
  const green = command('make', 'ERROR: ignored, as always\ndone', 0)
  const red = command('make', 'ERROR: ignored, as always\nschema.sql: broken', 1)
  expect(find(red, green)).toMatchObject({ basis: 'new', command: 'make', exit_code: 1 })
  expect(textsOf(find(red, green))).toEqual(['schema.sql: broken'])
})

test('later commands are not looked at', () => {
  const red = command('first', 'error: one', 1) + command('second', 'error: two', 1)
  expect(find(red)).toMatchObject({ command: 'first', phase: 'script' })
  expect(textsOf(find(red))).toEqual(['error: one'])
})

test('output without a line end at its end is read', () => {
  const log = command('printf', 'error: no line end', 3).replace(
    '\nservice_time:end',
    'service_time:end',
  )
  expect(textsOf(find(log))).toEqual(['error: no line end'])
})

test('a line that stands there much more often than in green runs is shown', () => {
  const green = command('poll', 'waiting 1\nwaiting 2\nready', 0)
  const red = command('poll', `${'waiting 9\n'.repeat(9)}ready`, 1)
  expect(find(red, green)).toMatchObject({ basis: 'more_often' })
  expect(textsOf(find(red, green))).toEqual(['waiting 9'])
})

test('where nothing is new, the last lines of the failing command are shown', () => {
  const output = ['one', 'two', 'three', 'four'].join('\n')
  const found = find(command('x', output, 137), command('x', output, 0))
  expect(found).toMatchObject({ basis: 'nothing_new', exit_code: 137, kind: 'killed' })
  expect(textsOf(found)).toEqual(['two', 'three', 'four'])
})

test('the limit that the service set comes first', () => {
  const red =
    'service_time:start:1\r\u001B[0K$ sleep 1000\nwaiting\n\u001B[0m\r\n\r\n' +
    '\u001B[31;1mThe job printed nothing for 10 minutes and was ended, since it seemed to hang.\u001B[0m\r\n'
  const found = find(red, command('sleep 1000', 'waiting', 0))
  expect(found).toMatchObject({
    basis: 'limit',
    kind: 'time',
    command: 'sleep 1000',
    exit_code: null,
  })
  expect(textsOf(found)[0]).toMatch(/^The job printed nothing for 10 minutes/)
})

test('two lines around a line are shown, and its number', () => {
  const red = command('make', 'a\nb\nc\nerror: here\nd\ne\nf', 1)
  expect(find(red).lines).toEqual([
    { number: 5, text: 'error: here', before: ['b', 'c'], after: ['d', 'e'] },
  ])
})

describe('infrastructure is only named where a line proves it', () => {
  test.each([
    'curl: (6) Could not resolve host: registry.npmjs.org',
    'npm error code ECONNRESET https://registry.npmjs.org/x',
    'fatal: unable to access https://github.com/a/b: The requested URL returned error: 503',
    'connect ETIMEDOUT 140.82.112.3:443',
  ])('%s', (line) => expect(isInfrastructure(line)).toBe(true))

  test.each([
    'java.net.ConnectException: Connection refused',
    'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.',
    'django.db.utils.OperationalError: connection to server at "localhost" (127.0.0.1) failed: Connection refused',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'Connection refused: http://localhost:3000/',
    'could not connect to postgres:5432: Connection refused',
    'connect ECONNREFUSED 172.17.0.2:6379',
    'npm error 404 Not Found - GET https://registry.npmjs.org/none',
    'GET https://api.github.com/user failed: 401, rate limit exceeded',
    'Timeout of 2000ms exceeded. For async tests see mocha.js',
    'expected 503 Service Unavailable in server.test.js:12',
    'Connection refused',
  ])('not: %s', (line) => expect(isInfrastructure(line)).toBe(false))

  test('other kinds have proofs as well', () => {
    expect(kindOfLine('cp: error writing x: No space left on device', 1)).toBe('disk')
    expect(kindOfLine('FATAL ERROR: JavaScript heap out of memory', 134)).toBe('memory')
    expect(kindOfLine('src/a.ts(1,2): error TS2345: no', 2)).toBe('compile')
    expect(kindOfLine('something went wrong', 1)).toBeNull()
  })
})
