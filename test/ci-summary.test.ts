import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const program = path.resolve(import.meta.dirname, '../.ci/summary.js')

type Tests = [title: string, outcome: string][]

/** What is printed of runs, each with the tests of one file; undefined stands for a lost report. */
function summaryOf(runs: Record<string, Tests | undefined>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'summary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [run, tests] of Object.entries(runs)) {
    if (!tests) continue
    const file = {
      name: `/home/${run}/checkout/test/a/b.test.ts`,
      status: tests.some(([, outcome]) => outcome === 'passed') ? 'passed' : 'failed',
      message: tests.length === 0 ? 'no such module' : '',
      assertionResults: tests.map(([fullName, status]) => {
        const failureMessages = status === 'failed' ? [`Error: ${fullName}\n    at x`] : []
        return { fullName, status, failureMessages }
      }),
    }
    writeFileSync(path.join(folder, `${run}.json`), JSON.stringify({ testResults: [file] }))
  }
  const args = [program, folder, ...Object.keys(runs)]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { code: status, lines: stdout.trimEnd().split('\n') }
}

test('a test of several runs counts once, and as skipped only where no run ran it', () => {
  const runs = {
    one: [
      ['a', 'passed'],
      ['b', 'skipped'],
      ['c', 'pending'],
      ['same', 'passed'],
      ['same', 'todo'],
    ],
    other: [
      ['a', 'skipped'],
      ['b', 'passed'],
      ['c', 'skipped'],
      ['same', 'passed'],
      ['d', 'passed'],
    ],
  } satisfies Record<string, Tests>
  expect(summaryOf(runs)).toEqual({
    code: 0,
    lines: [
      'one: 2 passed, 0 failed, 3 skipped',
      'other: 3 passed, 0 failed, 2 skipped',
      'tests: 4 passed, 0 failed, 2 skipped',
    ],
  })
})

test('what fails in one run has failed, and is repeated with its message', () => {
  const runs = {
    one: [['a', 'passed']],
    other: [
      ['a', 'failed'],
      ['b', 'passed'],
    ],
  } satisfies Record<string, Tests>
  expect(summaryOf(runs)).toEqual({
    code: 1,
    lines: [
      'one: 1 passed, 0 failed, 0 skipped',
      'failed in other: /home/other/checkout/test/a/b.test.ts: a',
      '  Error: a',
      '      at x',
      'other: 1 passed, 1 failed, 0 skipped',
      'tests: 1 passed, 1 failed, 0 skipped',
    ],
  })
})

test('so have a file that could not be loaded and a run without a report', () => {
  expect(summaryOf({ one: [], lost: undefined })).toEqual({
    code: 1,
    lines: [
      'failed in one: /home/one/checkout/test/a/b.test.ts',
      '  no such module',
      'one: 0 passed, 1 failed, 0 skipped',
      'lost: no report',
      'tests: 0 passed, 2 failed, 0 skipped',
    ],
  })
})

test.each(['node-24', 'given-postgres', 'ordinary-user'])(
  'the files that run again in the phase %s are there, and CI_FULL adds some',
  (phase) => {
    const phases = path.resolve(import.meta.dirname, '../.ci/phases.js')
    const filesOf = (env: Record<string, string>) => {
      const options = { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } } as const
      const { status, stdout, stderr } = spawnSync(process.execPath, [phases, phase], options)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return stdout.trimEnd().split('\n')
    }
    const always = filesOf({})
    const full = filesOf({ CI_FULL: 'true' })
    expect(full.slice(0, always.length)).toEqual(always)
    expect(full.length).toBeGreaterThan(always.length)
  },
)
