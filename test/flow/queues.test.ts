import { expect, test } from 'vitest'
import { readQueueRules } from '../../src/domain/job/queue-rules.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { findPlace } from '../../src/flow/jobs/choose-runner.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { findJobToRun } from '../../src/store/jobs/jobs-to-run.ts'
import { registerRunner } from '../../src/store/jobs/runners.ts'
import { waitingReasons } from '../../src/texts/waiting-reasons.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { commitOf, memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

const machine = { os: 'linux', arch: 'amd64', isolation: 'sandbox', without_approval: false }

function start(id: string, queues: string[] | null): Promise<void> {
  const facts = { version: '1', host: 'machine', executor: 'process', slots: 1 }
  return registerRunner(db, { id, queues, ...facts, ...machine })
}

test('a job is in the first matching queue, and waits for a runner of that queue', async () => {
  const codehost = memoryCodehost()
  const repository = await make.repository()
  const base = testContext(db, { codehost })
  const queues = readQueueRules('never: owner=acme services=docker; docker: services=docker|podman')
  const ctx = { ...base, config: { ...base.config, queues } }
  codehost.commits.set(tip, commitOf(tip, 'Say hello'))
  codehost.files.set(
    tip,
    'script: make\njobs:\n  include:\n    - services: [redis, docker]\n    - name: plain\n',
  )
  const received = await receiveEvent(ctx, pushTo(repository))
  if (!('request' in received)) throw new Error('the push was not stored')
  await acceptRequest(ctx, received.request.id)
  const jobs = () => db.selectFrom('jobs').selectAll().orderBy('id').execute()
  expect((await jobs()).map(({ queue }) => queue)).toEqual(['docker', 'builds.linux'])

  await start('plain', ['builds.linux', 'others'])
  const { owner_id, owner_type } = repository
  await scheduleJobs(ctx, { owner_id, owner_type })
  const [docker, plain] = await jobs()
  if (!docker || !plain) throw new Error('there are two jobs')
  expect([docker.state, plain.state]).toEqual(['created', 'queued'])
  expect(waitingReasons(docker)).toEqual([
    'It waits, because no runner that is alive takes its queue "docker": name the queue in RUNNER_QUEUES of one.',
  ])

  await start('docker', null)
  await scheduleJobs(ctx, { owner_id, owner_type })
  const toRun = await findJobToRun(db, docker.id)
  if (!toRun) throw new Error('the job is gone')
  expect(toRun.job.state).toBe('queued')
  const placeOn = (taken: string[] | null) => findPlace(ctx, toRun, { ...machine, queues: taken })
  expect(await placeOn(['builds.linux'])).toBe('elsewhere')
  expect(await placeOn(['docker'])).toBe('here')
  expect(await placeOn(null)).toBe('here')
})
