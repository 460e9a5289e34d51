import { describe, expect, test } from 'vitest'
import { inColour } from '../../src/domain/log/log-colours.ts'
import { findFailure } from '../../src/failure/find-failure.ts'
import { isInfrastructure, kindOfLine } from '../../src/failure/proven-kind.ts'
import { readLog } from '../../src/failure/read-log.ts'
import { shapesOf } from '../../src/failure/shapes.ts'
import {
  logTooLong,
  mayHaveRunOutOfMemory,
  ranOutOfDisk,
  ranOutOfMemory,
  ranTooLong,
  wasKilled,
  wasSilent,
} from '../../src/texts/log-endings.ts'

let timer = 0

/** A command in a log, as a job prints it. */
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

test('a line that also occurs in passed runs is not a candidate, whatever its text', () => {
  const green = command('make', 'ERROR: ignored, as always\ndone', 0)
  const red = command('make', 'ERROR: ignored, as always\nschema.sql: broken', 1)
  expect(find(red, green)).toMatchObject({ basis: 'new', command: 'make', exit_code: 1 })
  expect(textsOf(find(red, green))).toEqual(['schema.sql: broken'])
})

test('commands after the first failure are ignored', () => {
  const red = command('first', 'error: one', 1) + command('second', 'error: two', 1)
  expect(find(red)).toMatchObject({ command: 'first', phase: 'script' })
  expect(textsOf(find(red))).toEqual(['error: one'])
})

test('output without a final line end is read', () => {
  const log = command('printf', 'error: no line end', 3).replace(
    '\nservice_time:end',
    'service_time:end',
  )
  expect(textsOf(find(log))).toEqual(['error: no line end'])
})

test('a line with only markers is left out', () => {
  const fold = 'service_fold:end:before_install.1\r\u001B[0K'
  const log = command('g++-4.8 --version', 'g++-4.8: command not found', 127).replace(
    '\u001B[31;1m',
    () => `${fold}\n\u001B[31;1m`,
  )
  expect(find(log)).toMatchObject({
    exit_code: 127,
    lines: [{ text: 'g++-4.8: command not found', after: [] }],
  })
})

test('a line that occurs much more often than in passed runs is shown', () => {
  const green = command('poll', 'waiting 1\nwaiting 2\nready', 0)
  const red = command('poll', `${'waiting 9\n'.repeat(9)}ready`, 1)
  expect(find(red, green)).toMatchObject({ basis: 'more_often' })
  expect(textsOf(find(red, green))).toEqual(['waiting 9'])
})

test('without new lines, the last lines of the failing command are shown', () => {
  const output = ['one', 'two', 'three', 'four'].join('\n')
  const found = find(command('x', output, 137), command('x', output, 0))
  expect(found).toMatchObject({ basis: 'nothing_new', exit_code: 137, kind: 'killed' })
  expect(textsOf(found)).toEqual(['two', 'three', 'four'])
})

/** A command that was running when the job was ended. */
const unended = (output: string) => `service_time:start:ff\r\u001B[0K$ make test\n${output}\n`

describe("the service's own message about the end of a job is the cause", () => {
  test.each([
    ['the job ran too long', ranTooLong(3000), /^The job ran for 50 minutes/, 'time'],
    ['the job was silent', wasSilent(600), /^The job printed nothing for 10 minutes/, 'time'],
    [
      'the job ran out of memory',
      ranOutOfMemory(1e9),
      /^The job needed more memory than/,
      'memory',
    ],
    ['the job ran out of disk', ranOutOfDisk(1e9), /^The files of the job took more than/, 'disk'],
    ['the job was killed', wasKilled('SIGKILL', 137), /^The job was ended by SIGKILL/, 'killed'],
    ['the log was too long', logTooLong(4e6), /^The log reached 4,000,000 bytes/, null],
  ])('%s', (_name, ending, says, kind) => {
    const red = unended('compiling\nerror: the last words') + ending
    for (const green of [[], [command('make test', 'compiling\ndone', 0)]]) {
      const found = find(red, ...green)
      expect(found).toMatchObject({ basis: 'limit', kind, command: 'make test', exit_code: null })
      expect(textsOf(found)[0]).toMatch(says)
      expect(textsOf(found)[1]).toBe('error: the last words')
    }
  })

  test('a message about a killed process is the cause, although the job went on', () => {
    const note = `\r\n${inColour('yellow', mayHaveRunOutOfMemory(1e9))}\r\n`
    const found = find(command('make', 'make: *** [all] Error 137', 1) + note)
    expect(found).toMatchObject({ basis: 'limit', kind: 'memory', exit_code: 1 })
    expect(textsOf(found)[0]).toMatch(/^A process of this job was probably ended because memory/)
  })

  test('a message about a failed service is the cause, if a server already uses its port', () => {
    const red =
      'The last lines of mysql:\r\n[Server] Do you already have another server on port: 3306 ?\r\n' +
      `${inColour('red', 'The service "mysql" ended with exit code 1 before it accepted connections. The job was not run.')}\r\n`
    const found = find(red, command('make', 'done', 0))
    expect(found).toMatchObject({ basis: 'limit', command: null })
    expect(textsOf(found)[0]).toMatch(/^The service "mysql" ended with exit code 1/)
    expect(textsOf(found)).toContain('[Server] Do you already have another server on port: 3306 ?')
  })

  test('a message that a job prints itself is not believed', () => {
    const forged = 'A process of this job was probably ended because memory ran out.'
    const found = find(command('make', `${forged}\nerror: no rule for x`, 1))
    expect(found).toMatchObject({ basis: 'guess', kind: null })
  })
})

test('the message about a limit comes first', () => {
  const red =
    'service_time:start:1\r\u001B[0K$ sleep 1000\nwaiting\n\u001B[0m\r\n\r\n' +
    '\u001B[31;1mThe job printed nothing for 10 minutes and was ended, because it seemed to hang.\u001B[0m\r\n'
  const found = find(red, command('sleep 1000', 'waiting', 0))
  expect(found).toMatchObject({
    basis: 'limit',
    kind: 'time',
    command: 'sleep 1000',
    exit_code: null,
  })
  expect(textsOf(found)[0]).toMatch(/^The job printed nothing for 10 minutes/)
})

test('a line is shown with its number, and with two lines before and after it', () => {
  const red = command('make', 'a\nb\nc\nerror: here\nd\ne\nf', 1)
  expect(find(red).lines[0]).toEqual({
    number: 5,
    text: 'error: here',
    before: ['b', 'c'],
    after: ['d', 'e'],
  })
})

describe('infrastructure is blamed only if a line proves it', () => {
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
  ])('not by: %s', (line) => expect(isInfrastructure(line)).toBe(false))

  test.each([
    ['E   SyntaxError: invalid syntax', 'compile'],
    ['E   ModuleNotFoundError: No module named a', 'dependency'],
    ['× Preparing metadata (pyproject.toml) did not run successfully.', null],
    ['  × parses numbers 28ms', 'tests'],
    ['Failure/Error: require "nothing"', null],
    ['  Failure/Error: expect(1).to eq(2)', 'tests'],
    ['a.go:3:8: no required module provides package example.org/b', 'dependency'],
    ['a.go:3:37: undefined: c', 'compile'],
    // The name of a test proves nothing but that the test failed.
    ['● cache › survives "out of memory"', 'tests'],
    ['not ok 3 - reports ECONNRESET from https://registry.npmjs.org/x', 'tests'],
  ] as const)('the kind of %j is %s', (line, kind) => expect(kindOfLine(line, 1)).toBe(kind))

  test('other kinds of failures are recognized by their lines as well', () => {
    expect(kindOfLine('cp: error writing x: No space left on device', 1)).toBe('disk')
    expect(kindOfLine('FATAL ERROR: JavaScript heap out of memory', 134)).toBe('memory')
    expect(kindOfLine('src/a.ts(1,2): error TS2345: no', 2)).toBe('compile')
    expect(kindOfLine('something went wrong', 1)).toBeNull()
  })
})
