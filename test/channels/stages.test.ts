import { expect, onTestFinished, test } from 'vitest'
import { cancelJob } from '../../src/flow/jobs/cancel-job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { connect, serve } from './scene.ts'

const database = await ownDatabase()
const make = factories(database.db)

/** A build with a job that runs in its first stage, and one that waits in its second. */
async function builtInStages() {
  const build = await make.build()
  const [first, second] = [await make.stage(build, 1), await make.stage(build, 2)]
  const job = await make.job({ build, state: 'started', stage_id: first.id })
  await make.job({ build, state: 'created', stage_id: second.id })
  return { build, job }
}

test('a job comes as finished if another stage cancels it, and as canceled if someone does', async () => {
  const service = await serve(database)
  onTestFinished(() => service.close())
  const failing = await builtInStages()
  const canceled = await builtInStages()
  const client = await connect(service)
  const channels = [failing, canceled].map(({ build }) => `repo-${build.repository_id}`)
  for (const channel of new Set(channels)) await client.subscribe(channel)

  const { id: job_id, attempt } = failing.job
  await finishJob(service.ctx, { job_id, attempt }, 'failed')
  await client.next('build:finished')
  const by = { canceled_by_id: null, cancel_reason: 'canceled by octavia' }
  await cancelJob(service.ctx, by, canceled.job.id)
  await client.next('build:canceled')

  const seen = client.seen.filter(({ event }) => event.startsWith('job:'))
  const states = seen.map(({ event, data }) => {
    const { build_id, state } = JSON.parse(String(data)) as { build_id: number; state: string }
    return [build_id === failing.build.id ? 'failing' : 'canceled', event, state]
  })
  expect(states).toHaveLength(4)
  expect(states).toEqual(
    expect.arrayContaining([
      ['failing', 'job:finished', 'failed'],
      ['failing', 'job:finished', 'canceled'],
      ['canceled', 'job:canceled', 'canceled'],
      ['canceled', 'job:finished', 'canceled'],
    ]),
  )
})
