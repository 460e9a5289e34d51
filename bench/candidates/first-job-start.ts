// The whole service in one process, put together as `src/service/start.ts` does it, but for two
// doubles: a code host with set responses and delays, and an executor that runs nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Probot } from 'probot'
import type * as Receiver from '../../src/bot/receiver.ts'
import type * as Log from '../../src/cli/log.ts'
import type * as Config from '../../src/config/config.ts'
import type * as ScheduleJobs from '../../src/flow/jobs/schedule-jobs.ts'
import type * as RegisterRepository from '../../src/flow/repositories/register-repository.ts'
import type * as Listen from '../../src/http/core/listen.ts'
import type * as Server from '../../src/http/server.ts'
import type * as Connection from '../../src/queue/connection.ts'
import type * as Queue from '../../src/queue/queue.ts'
import type * as OpenReader from '../../src/reader/open-reader.ts'
import type * as Images from '../../src/script/images/image-map.ts'
import type * as Contexts from '../../src/service/contexts.ts'
import type * as OpenStore from '../../src/service/open/open-store.ts'
import type * as Losses from '../../src/worker/losses.ts'
import type * as NextHops from '../../src/worker/next-hops.ts'
import type * as PublishOutbox from '../../src/worker/processors/publish-outbox.ts'
import type * as RunJob from '../../src/worker/processors/run-job.ts'
import type * as Worker from '../../src/worker/worker.ts'
import { built } from '../harness/built.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { pushedRepository, pushingInstallation } from '../harness/push.ts'
import { createCodehost } from './codehost.ts'
import { createExecutor } from './executor.ts'
import { watchHops } from './hops.ts'

const { createReceiver } = await built<typeof Receiver>('bot/receiver.js')
const { createLog } = await built<typeof Log>('cli/log.js')
const { readConfig, roles } = await built<typeof Config>('config/config.js')
const { registerRepository } = await built<typeof RegisterRepository>(
  'flow/repositories/register-repository.js',
)
const { scheduleJobs } = await built<typeof ScheduleJobs>('flow/jobs/schedule-jobs.js')
const { listen } = await built<typeof Listen>('http/core/listen.js')
const { createServer } = await built<typeof Server>('http/server.js')
const { connectQueues } = await built<typeof Connection>('queue/connection.js')
const { openQueues } = await built<typeof Queue>('queue/queue.js')
const { openReader } = await built<typeof OpenReader>('reader/open-reader.js')
const { createContext, setPort } = await built<typeof Contexts>('service/contexts.js')
const { openStore } = await built<typeof OpenStore>('service/open/open-store.js')
const { createLosses } = await built<typeof Losses>('worker/losses.js')
const { defaultImageMap } = await built<typeof Images>('script/images/image-map.js')
const { createNextHops } = await built<typeof NextHops>('worker/next-hops.js')
const { publishStreams } = await built<typeof PublishOutbox>('worker/processors/publish-outbox.js')
const { runJobs } = await built<typeof RunJob>('worker/processors/run-job.js')
const { processorsOf, startWorkers } = await built<typeof Worker>('worker/worker.js')

const reportPause = publishStreams.here?.after ?? 0
const startPause = runJobs.here?.ahead ?? 0
const config = readConfig(process.env)
const log = createLog(config)
const onError = (error: unknown) => log.warn({ err: error }, 'error in the background')
const { wrapHop, rest } = watchHops()
const { codehost, set, readsInARow } = createCodehost()
let waitsForStart = false

const { executor, hold, release } = createExecutor(() => {
  if (!waitsForStart) return
  waitsForStart = false
  tell({ started: { at: Number(process.hrtime.bigint()) / 1e6, calls: readsInARow() } })
})

const store = await openStore(config, log)
const places = { database: store.connection, redisUrl: config.redisUrl, onError }
const connection = await connectQueues(places, processorsOf(roles).length)
const queues = await openQueues(connection, onError)
const reader = openReader({ onError })
const hops = createNextHops(queues, log)
const codehosts = { codehost }
const ctx = createContext({ config, store, queues, hops, codehosts, log, reader, wrapHop })
const server = await createServer(ctx)
setPort(ctx, config, await listen(server, config))

const receive = createReceiver(ctx, new Probot({ githubToken: 'unused', log }))
const runner = {
  id: 'bench',
  executor,
  version: 'bench',
  slots: config.runnerSlots,
  machine: { os: 'linux', arch: 'amd64' },
  isAlone: () => true,
  isWatched: () => false,
  losses: createLosses(),
  running: new Set<number>(),
  images: defaultImageMap,
  dockerInJobs: [],
  queues: null,
  jobLimits: {},
}
const stopping = new AbortController()
const never = { guard() {}, isResting: () => false, consider: async () => {} }
const workers = await startWorkers(
  connection,
  roles,
  { ctx, receive, runner: { ...runner, stopping: stopping.signal, rest: never } },
  { wrapHop, nextHops: hops },
)
const { owner_id, owner_type } = await registerPushedRepository()
const owner = { owner_id, owner_type }

async function registerPushedRepository() {
  const { id, name, default_branch, description, language, owner } = pushedRepository
  const person = { codehost_id: owner.id, login: owner.login }
  const repository = await registerRepository(
    ctx,
    {
      provider: 'codehost',
      codehost_id: id,
      name,
      default_branch,
      private: false,
      fork: false,
      archived: false,
      // As the pushes say: otherwise the code host would be asked about it with each of them.
      description,
      language,
      owner: { ...person, type: 'User' },
    },
    person,
  )
  // As an event of the app would do.
  await sql`
    with installation as (
      insert into installations (codehost_id, owner_id, owner_type)
      values (${pushingInstallation?.id}, ${repository.owner_id}, ${repository.owner_type})
      returning id
    )
    update repositories set installation_id = installation.id, managed_by_installation = true
    from installation where repositories.id = ${repository.id}
  `.execute(store.db)
  return repository
}

/** All jobs of a push are enqueued and begin, as those of the anchor do, though only the first is of interest. */
async function allBegun(): Promise<void> {
  const waiting = sql`select from jobs where state = 'created'`
  while ((await waiting.execute(store.db)).rows.length > 0) await pause(5)
  await pause(startPause)
}

/**
 * Ends what is left of the build at once, and looks what else may run, as after every end of a job: the next push does
 * not find in the indexes what this one left there.
 */
async function drop(): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    // In the order in which the service locks them.
    await sql`select from builds where finished_at is null order by id for update`.execute(tx)
    await sql`select from jobs where finished_at is null order by id for update`.execute(tx)
    const change = sql`set state = 'canceled', finished_at = now() where finished_at is null`
    await sql`update jobs ${change}`.execute(tx)
    await sql`update stages ${change}`.execute(tx)
    await sql`update builds ${change}`.execute(tx)
  })
  await scheduleJobs(ctx, owner)
  release()
}

answer({
  set,
  ready() {
    waitsForStart = true
    readsInARow()
    hold()
  },
  async rest() {
    await allBegun()
    await drop()
    // Reports are posted after a pause, in which nothing is under way.
    await rest(reportPause + 15)
  },
})
closeAtLast(async () => {
  stopping.abort()
  await workers.close()
  await server.close()
  await reader.close()
  await queues.close()
  await connection.close()
  await store.close()
})
tell({ url: ctx.site.url })
