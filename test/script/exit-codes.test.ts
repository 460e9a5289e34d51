import { describe, expect, test } from 'vitest'
import { exitCodeRows } from './exit-code-rows.ts'
import { runJob } from './program.ts'

test.each(exitCodeRows)('%s: %j ends with %i', async (_, config, code) => {
  expect(await runJob(config)).toMatchObject({ code })
})

describe('under a terminal', () => {
  test.each([
    ['passes', { script: 'test -t 1' }, 0],
    ['fails', { script: 'false' }, 1],
    ['errors', { script: 'true', install: 'false' }, 2],
    ['is killed', { script: 'kill -9 $$' }, 137],
    ['reads nothing', { script: '! read -r line' }, 0],
    ['leaves a process behind', { script: 'sleep 1000 & (sleep 1000 &)' }, 0],
  ])('a job that %s: %j ends with %i', async (_, config, code) => {
    expect(await runJob(config, { terminal: true })).toMatchObject({ code })
  })
})

test('a build folder that cannot be entered ends the job', async () => {
  const answer = await runJob({ script: 'true' }, { files: { '~/build/octavia': 'a file' } })
  expect(answer).toMatchObject({ code: 86 })
  expect(answer.text).toContain('cannot be entered')
})
