// Texts of users can be longer than the code host accepts in a status or a check.
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyEverything } from '../support/local-story.ts'
import { watchedApp } from '../support/watched-app.ts'

const { db, host, installed, settled, posts } = await watchedApp()

beforeEach(async () => {
  await emptyEverything(db)
  host.calls.length = 0
})

const half = '🙂'.repeat(60)

test.each([
  ['of one byte each', `${'x'.repeat(200)}/${'y'.repeat(200)}`],
  ['of three bytes each', `${'€'.repeat(80)}/${'€'.repeat(80)}/${'€'.repeat(80)}`],
  ['of four bytes each', `${half}/${half}`],
  ['of four bytes each, after one of a single byte', `x${half}/${half}`],
])('texts of a branch with characters %s are cut between them', async (_what, branch) => {
  const repository = await installed()
  const files = { '.service.yml': 'script: make\nbranches:\n  only: [main]' }
  const sha = await host.commit(repository, { branch, files })
  await settled()
  const [status] = host.statuses(repository, sha)
  const [run] = host.checkRuns(repository, sha)
  const text = 'No build: branch not included: '
  for (const [cut, longest] of [
    [status?.description, 140],
    [run?.output.title, 255],
  ] as const) {
    const whole = `${text}${branch} matches no entry of branches.only (line 3)`
    // Half of a character would have been refused.
    expect([longest - 1, longest]).toContain(cut?.length)
    expect(`${whole.slice(0, (cut?.length ?? 0) - 1)}…`).toBe(cut)
  }
})

/** A build file with this many unknown keys. */
const withFindings = (count: number, key: string) =>
  ['script: make', ...Array.from({ length: count }, (_, index) => `${key}${index}: 1`)].join('\n')

async function checked(file: string) {
  const repository = await installed()
  const sha = await host.commit(repository, { files: { '.service.yml': file } })
  await settled()
  const [run, ...others] = host.checkRuns(repository, sha)
  expect(others).toEqual([])
  if (!run) throw new Error('the commit has no check')
  return run
}

describe('the check of a file', () => {
  test('with more than 50 findings sends them in batches, and counts all', async () => {
    const { annotations, output } = await checked(withFindings(120, 'odd'))
    expect(posts('check-runs')).toBe(3)
    expect(annotations).toHaveLength(120)
    expect(new Set(annotations.map(({ start_line }) => start_line)).size).toBe(120)
    expect(output.title).toBe('120 findings')
    expect(output.summary).toMatch(/^120 findings:\n\n- \*\*warn/)
  })

  test('with more than 500 findings counts all, annotates 500 and cuts the summary', async () => {
    const { annotations, output } = await checked(withFindings(620, `чудно${'🙂'.repeat(10)}`))
    expect(posts('check-runs')).toBe(10)
    expect(annotations).toHaveLength(500)
    expect(output.title).toBe('620 findings')
    expect(output.summary).toMatch(
      /^620 findings, the 500 most severe at their lines:\n\n- \*\*warn/,
    )
    const bytes = Buffer.byteLength(output.summary ?? '')
    expect(bytes).toBeLessThanOrEqual(65_535)
    expect(bytes).toBeGreaterThan(65_531)
    expect(output.summary).not.toContain('\uFFFD')
  })
})

test('a check that the code host rejects as invalid is posted once more without its annotations', async () => {
  host.failNext({ kind: 'status', status: 422 }, /^POST .*\/check-runs$/)
  const { annotations, status, conclusion, output } = await checked('if: (type = push')
  expect(posts('check-runs')).toBe(2)
  expect({ annotations, status, conclusion }).toEqual({
    ...{ annotations: [], status: 'completed', conclusion: 'failure' },
  })
  expect(output.summary).toContain('cannot be read')
})
