import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../support/command.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { installedLinter } from '../support/linter.ts'
import { needs } from '../support/needs.ts'

const linter = installedLinter()

const asked = (yaml: string) => JSON.stringify({ name: 'a', yaml })
const read = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

/** The responses to these lines, sent all at once. */
async function answersTo(input: string, ...options: string[]): Promise<object[]> {
  const { code, stdout, stderr } = await linter.run(['inspect', '--batch', ...options], { input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return read(stdout)
}

const row = { os: 'linux', language: 'ruby', dist: 'focal' }

describe('inspect --batch', () => {
  test('reports everything about a build file', async () => {
    const yaml =
      '\nos: linux\ndist: focal\nrvm: [2, 3]\njobs:\n  include:\n    - if: branch = dev\n'
    expect(await answersTo(asked(yaml))).toEqual([
      {
        name: 'a',
        messages: [
          { level: 'info', key: [], code: 'default', args: { key: 'language', default: 'ruby' } },
        ],
        config: {
          language: 'ruby',
          os: ['linux'],
          dist: 'focal',
          rvm: ['2', '3'],
          jobs: { include: [{ if: 'branch = dev' }] },
        },
        jobs: [
          { ...row, rvm: '2' },
          { ...row, rvm: '3' },
          { ...row, rvm: '2', if: 'branch = dev' },
        ],
        axes: ['os', 'rvm'],
        build: {
          stages: [],
          jobs: [
            { ...row, rvm: '2' },
            { ...row, rvm: '3' },
          ],
          messages: [
            {
              level: 'info',
              key: ['jobs', 'include'],
              code: 'skip_job',
              args: { number: 1, condition: 'branch = dev' },
            },
          ],
        },
      },
    ])
  })

  test('reports why a file cannot be read, and continues', async () => {
    const lines = [
      asked('a: [b'),
      asked('- a'),
      asked(''),
      '',
      'x',
      '{"name":"b"}',
      asked('os: linux'),
    ]
    const answers = await answersTo(lines.join('\r\n'))
    expect(answers.map((answer) => Object.keys(answer))).toEqual([
      ['name', 'error', 'message', 'at'],
      ['name', 'error', 'message', 'at'],
      ['name', 'messages', 'config', 'jobs', 'axes', 'build'],
      ['error', 'message'],
      ['error', 'message'],
      ['name', 'messages', 'config', 'jobs', 'axes', 'build'],
    ])
    expect(answers).toMatchObject([
      { name: 'a', error: 'parse', at: { line: 1, column: 4 } },
      { name: 'a', error: 'format', at: { line: 1, column: 1 } },
      { name: 'a' },
      { error: 'request', message: expect.stringContaining('the line is not valid JSON: ') },
      { error: 'request', message: 'the line is not an object with the strings "name" and "yaml"' },
      { name: 'a' },
    ])
  })

  test('gives advice only on request, in lines of the same form', async () => {
    const input = asked('\n\nlanguage: ruby\nos: linux\ndist: focal\nscript: make || true\n')
    expect(await answersTo(input)).toMatchObject([{ messages: [] }])
    expect(await answersTo(input, '--advice')).toMatchObject([
      {
        messages: [
          {
            level: 'warn',
            key: ['script'],
            code: 'script_cannot_fail',
            line: 3,
            args: { message: expect.stringContaining('the script cannot fail') },
          },
        ],
      },
    ])
  })

  test('responds to each line before the input ends', async () => {
    const child = linter.start(['inspect', '--batch'])
    const { stdin, stdout } = child
    if (!stdin || !stdout) throw new Error('the process has no pipes')
    const answers = createInterface({ input: stdout })
    for (const yaml of ['rvm: 1', 'rvm: 2', 'rvm: 3']) {
      const answer = once(answers, 'line')
      const half = Math.floor(asked(yaml).length / 2)
      stdin.write(asked(yaml).slice(0, half))
      stdin.write(`${asked(yaml).slice(half)}\n`)
      const [line] = (await answer) as [string]
      expect(JSON.parse(line)).toMatchObject({ name: 'a', config: { rvm: [yaml.slice(-1)] } })
    }
    stdin.end()
    await once(child, 'exit')
    expect(child.exitCode).toBe(0)
  })

  test('loses no responses when they are read late', async () => {
    const child = linter.start(['inspect', '--batch'])
    const line = `${asked(`script: ${'make '.repeat(5000)}`)}\n`
    for (let count = 0; count < 400; count += 1) child.stdin?.write(line)
    child.stdin?.end()
    await once(child, 'spawn')
    const { code, stdout } = await outcomeOf(child)
    expect({ code, answers: read(stdout).length }).toEqual({ code: 0, answers: 400 })
  })

  test.each([170, 180, 190])(
    'exits after a slow reader has received all %i responses',
    async (count) => {
      // A pipe holds 64 KiB: the last responses are still in the program when its input has ended.
      const line = linter.line(['inspect', '--batch'])
      const child = spawn('sh', ['-c', '"$@" | { sleep 0.5; cat; }', 'sh', ...line])
      child.stdin.end(`${asked('os: linux')}\n`.repeat(count))
      const { stdout } = await outcomeOf(child)
      expect(read(stdout)).toHaveLength(count)
    },
  )

  test('exits quietly when no one reads its responses', async () => {
    const child = linter.start(['inspect', '--batch'])
    const errors = child.stderr?.toArray()
    child.stdout?.destroy()
    child.stdin?.on('error', () => {})
    child.stdin?.write(`${asked('rvm: 1')}\n`.repeat(100))
    await once(child, 'exit')
    expect({ code: child.exitCode, errors: await errors }).toEqual({ code: 0, errors: [] })
  })

  test('reports which options it needs', async () => {
    expect(await linter.run(['inspect'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'build-service: inspect reads build files from standard input, as lines of JSON: ' +
        'call it with --batch and without files (see --help)\n',
    })
  })
})

interface Answer {
  name: string
  messages: object[]
  config: object
  jobs: object[]
  axes: string[]
  build: { stages: object[]; jobs: object[]; messages: object[] }
}

interface Expected extends Omit<Answer, 'jobs' | 'build'> {
  jobs: number
  rows: { sha: string }[]
  build: Omit<Answer['build'], 'jobs'> & { jobs: { sha: string }[] | null }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}

const hash = (job: object) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(job)))
    .digest('hex')
    .slice(0, 16)

/** A response in the form of its expected value. */
function shortened({ name, messages, config, jobs, axes, build }: Answer) {
  const { stages, messages: skipped } = build
  const built = { stages, jobs: build.jobs.map(hash), messages: skipped }
  return sorted({
    name,
    messages,
    config,
    axes,
    jobs: jobs.length,
    rows: jobs.map(hash),
    build: built,
  })
}

function expectedOf({ rows, build, ...rest }: Expected) {
  const hashes = (jobs: readonly { sha: string }[]) => jobs.map(({ sha }) => sha)
  const built = { ...build, jobs: hashes(build.jobs ?? rows) }
  return sorted({ ...rest, rows: hashes(rows), build: built })
}

describe('over the corpus', needs(corpus), () => {
  test('every response is the expected one', async () => {
    const input = readCorpus('configs').map((line) => `${JSON.stringify(line)}\n`)
    const answers = (await answersTo(input.join(''))) as Answer[]
    const expected = readCorpus<Expected>('expected')
    expect(answers.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
    const same = expected.filter((one, index) => {
      const answer = answers[index]
      return answer && JSON.stringify(shortened(answer)) === JSON.stringify(expectedOf(one))
    })
    console.log(`inspect: ${same.length} of ${expected.length} answers are as expected`)
    const wrong = expected.filter((one) => !same.includes(one)).map(({ name }) => name)
    expect(wrong).toEqual([])
  }, 120_000)
})
