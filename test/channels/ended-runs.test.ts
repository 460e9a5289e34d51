import { expect, onTestFinished, test } from 'vitest'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { serve } from './scene.ts'

const database = await ownDatabase()
const make = factories(database.db)

test('a web process counts each run that ends in any process, for metrics', async () => {
  const service = await serve(database, { env: { METRICS_TOKEN: 'a long token for metrics' } })
  onTestFinished(() => service.close())
  const build = await make.build()
  const job = await make.job({ build, state: 'started' })
  await make.job({ build, state: 'started' })
  const run = { job_id: job.id, attempt: job.attempt }
  await finishJob(service.ctx, run, 'passed')
  await expect.poll(() => service.live.metrics?.takeEnded(), { timeout: 20_000 }).toEqual([run])
  expect(service.live.metrics?.takeEnded()).toEqual([])
})
