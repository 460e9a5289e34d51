import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/domain/failure/failure.ts'
import { type Outside, outsideText } from '../../../src/domain/failure/outside.ts'
import { createServer } from '../../../src/http/server.ts'
import { insertRun } from '../../../src/store/jobs/job-runs.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { missing, noJobWrites } from './build-scene.ts'

const db = await testDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

const cause: Failure = {
  basis: 'new',
  kind: 'tests',
  command: 'npm test',
  phase: 'script',
  exit_code: 127,
  lines: [{ number: 12, text: 'row 7: name is missing', before: ['reading'], after: [] }],
  compared: [{ job_id: 1, number: '1.1' }],
}

const outside: Outside = {
  from: { job_id: 1, number: '1.1', attempt: 1 },
  to: { job_id: 2, number: '2.1', attempt: 1 },
  result: 'failed',
  seconds: 60,
  same_commit: false,
  changes: [{ kind: 'variable', name: 'TOKEN', before: null, after: null, is: 'changed' }],
}

async function failedJob(given: { private?: boolean; attempt?: number } = {}) {
  const { attempt = 1, ...repository } = given
  const build = await make.build({ repository: await make.repository(repository), state: 'failed' })
  const job = await make.job({ build, state: 'failed', attempt })
  await insertRun(
    db,
    {
      job_id: job.id,
      attempt: 1,
      repository_id: job.repository_id,
      job_key: 'key',
      branch: 'main',
      pull_request_id: null,
      sha: 'a',
      state: 'failed',
      inputs: {
        definition: '',
        versions: {},
        image: null,
        image_id: null,
        runner: 'runner',
        event: 'push',
        variables: {},
        imports: {},
      },
      failure: cause,
      cause: 'c',
      by_itself: true,
      outside,
    },
    null,
  )
  return job
}

const { prioritize: _prioritize, ...reading } = noJobWrites

describe('the reason why a job failed', () => {
  test('is shown with the lines of its log', async () => {
    const { id } = await failedJob()
    expect(await call(`GET /job/${id}/failure`)).toEqual({
      status: 200,
      body: {
        '@type': 'failure',
        '@href': `/job/${id}/failure`,
        '@representation': 'standard',
        '@permissions': reading,
        attempt: 1,
        basis: 'new',
        text: 'Lines that no compared green run has',
        kind: 'tests',
        command: 'npm test',
        phase: 'script',
        exit_code: 127,
        exit_meaning: 'command not found',
        lines: cause.lines,
        compared: cause.compared,
        outside: { ...outside, text: outsideText(outside) },
        flaky: null,
        outage: null,
      },
    })
  })

  test('is for the current attempt, or for the requested one', async () => {
    const { id } = await failedJob({ attempt: 2 })
    expect(await call(`GET /job/${id}/failure`)).toMatchObject({
      status: 200,
      body: { attempt: 2, basis: null, text: null, command: null, lines: [], compared: [] },
    })
    expect(await call(`GET /job/${id}/failure?log.attempt=1`)).toMatchObject({
      status: 200,
      body: { attempt: 1, basis: 'new' },
    })
  })

  test('is hidden with the job', async () => {
    const { id } = await failedJob({ private: true })
    expect(await call(`GET /job/${id}/failure`)).toEqual(missing('job'))
    expect(await call('GET /job/99/failure')).toEqual(missing('job'))
  })
})
