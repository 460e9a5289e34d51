import { expect, test } from 'vitest'
import {
  flakesIn,
  flakinessOf,
  flakyText,
  type HistoryRun,
  outageAround,
} from '../../src/domain/failure/flaky.ts'

const minute = 60_000
const day = 24 * 60 * minute
const now = new Date(Date.UTC(2026, 5, 30))
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)

let ids = 0
function run(given: Partial<HistoryRun> = {}): HistoryRun {
  ids += 1
  return {
    ...{ job_id: ids, number: `${ids}.1`, attempt: 1, place: 'main', sha: 'a', inputs: 'i' },
    ...{ runner: 'one', state: 'passed', cause: null, ended_at: ago(day) },
    ...given,
  }
}
const failed = (given: Partial<HistoryRun> = {}) => run({ state: 'failed', cause: 'c', ...given })

function judged(history: readonly HistoryRun[], given: Partial<HistoryRun> = {}) {
  const flakes = flakesIn(history)
  return flakinessOf(failed(given), { history, flakes, now })
}

test('a failed and a passed run with the same commit and inputs prove a flaky job', () => {
  const red = failed()
  const history = [run({ sha: 'b' }), run({ job_id: red.job_id, attempt: 2 }), red]
  const flaky = judged(history)
  expect(flaky).toMatchObject({ flakes: 1, runs: 3, days: 30 })
  expect(flaky ? flakyText(flaky) : null).toBe(
    'Flaky: 1 of 3 runs in 30 days failed, and passed with the same commit and nothing else changed. ' +
      `Last, job ${red.number} failed, and job ${flaky?.passed.number} (attempt 2) passed.`,
  )
})

test.each([
  ['another commit', { sha: 'b' }],
  ['another input', { inputs: 'j' }],
  ['another branch', { place: 'next' }],
])('a passed run with %s proves nothing', (_name, other) => {
  expect(judged([run(other), failed()])).toBeNull()
})

test('a job no longer counts as flaky after fourteen days without another flake', () => {
  const history = (days: number) => [
    run({ ended_at: ago(days * day) }),
    failed({ ended_at: ago(days * day) }),
  ]
  expect(judged(history(13))).not.toBeNull()
  expect(judged(history(15))).toBeNull()
})

test('a failure with another cause is not called flaky', () => {
  const history = [run(), failed()]
  expect(judged(history, { cause: 'other' })).toBeNull()
  expect(judged(history, { cause: 'c' })).toMatchObject({ flakes: 1 })
  expect(judged(history, { state: 'passed', cause: null })).toMatchObject({ flakes: 1 })
})

test('two failures without a known line do not count as the same, but a failure that passed when rerun is flaky', () => {
  const red = failed({ cause: null })
  const history = [run(), red]
  expect(judged(history, { cause: null })).toBeNull()
  expect(judged(history, red)).toMatchObject({ flakes: 1 })
})

test('three jobs of a machine within ten minutes are an outage', () => {
  const at = (job: string, minutes: number) => ({
    ...{ job_id: 1, attempt: 1, job },
    ended_at: ago(minutes * minute),
  })
  const flake = { ended_at: ago(20 * minute) }
  expect(outageAround(flake, [at('a', 20), at('b', 15), at('c', 11)])).toBe(3)
  expect(outageAround(flake, [at('a', 20), at('b', 29), at('c', 11)])).toBeNull()
  expect(outageAround(flake, [at('a', 20), at('a', 19), at('b', 18)])).toBeNull()
})

/** Numbers from 0 to below 1, the same for each use of a seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * The history of a job: commits, changed inputs, restarts and repeated builds. Its inputs decide
 * its result, except for the share `flaky` of runs that fail for no reason.
 */
function life(seed: number, flaky: number) {
  const next = random(seed)
  const isBad = new Map<string, boolean>()
  const history: HistoryRun[] = []
  const proven = new Map<string, Set<string>>()
  let sha = 0
  let inputs = 0
  for (let at = 0; at < 4 + Math.floor(next() * 20); at += 1) {
    const chance = next()
    // A fix is a commit or a changed input, and so is a change that breaks the job.
    if (chance < 0.3) sha += 1
    else if (chance < 0.45) inputs += 1
    // A value can be reset, and an older commit run again.
    else if (chance < 0.5) inputs = Math.floor(next() * (inputs + 1))
    const tested = chance > 0.9 ? Math.floor(next() * (sha + 1)) : sha
    const key = `${tested} ${inputs}`
    const bad = isBad.get(key) ?? next() < 0.4
    isBad.set(key, bad)
    const state = bad || next() < flaky ? ('failed' as const) : ('passed' as const)
    proven.set(key, (proven.get(key) ?? new Set()).add(state))
    const ended_at = ago(9 * day - at * minute)
    const cause = state === 'failed' ? 'c' : null
    history.push(run({ sha: String(tested), inputs: String(inputs), state, cause, ended_at }))
  }
  return { history, isProven: [...proven.values()].some((states) => states.size === 2) }
}

test('in ten thousand histories no job whose cause was fixed is called flaky', () => {
  const seeds = Array.from({ length: 10_000 }, (_, seed) => seed)
  expect(seeds.filter((seed) => judged(life(seed, 0).history) !== null)).toEqual([])
})

test('flaky jobs that passed and failed with the same commit and inputs are found', () => {
  const lives = Array.from({ length: 2000 }, (_, seed) => life(seed, 0.3))
  expect(lives.filter(({ isProven }) => isProven).length).toBeGreaterThan(500)
  const misjudged = lives.filter(({ history, isProven }) => (judged(history) !== null) !== isProven)
  expect(misjudged).toEqual([])
})
