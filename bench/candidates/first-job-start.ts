// The whole service in one process, put together as `src/service/start.ts` does it, but for two
// doubles: a code host with set responses and delays, and an executor that runs nothing.
import { Probot } from 'probot'
import { sql } from 'kysely'
import { createReceiver } from '../../src/bot/receiver.ts'
import { createLog } from '../../src/cli/log.ts'
import { readConfig, roles } from '../../src/config/config.ts'
import { registerRepository } from '../../src/flow/register-repository.ts'
import { listen } from '../../src/http/listen.ts'
import { createServer } from '../../src/http/server.ts'
import { connectQueues } from '../../src/queue/connection.ts'
import { openQueues } from '../../src/queue/queue.ts'
import { openReader } from '../../src/reader/open-reader.ts'
import { createContext, setPort } from '../../src/service/contexts.ts'
import { openStore } from '../../src/service/open/open-store.ts'
import { createLosses } from '../../src/worker/losses.ts'
import { createNextHops } from '../../src/worker/next-hops.ts'
import { publishStreams } from '../../src/worker/processors/publish-outbox.ts'
import { processorsOf, startWorkers } from '../../src/worker/worker.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { pushedRepository } from '../harness/push.ts'
import { createCodehost } from './codehost.ts'
import { createExecutor } from './executor.ts'
import { watchHops } from './hops.ts'

const reportPause = publishStreams.here?.after ?? 0
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
const nextHops = createNextHops(queues, log)
const codehosts = { codehost }
const hops = nextHops
const ctx = createContext({ config, store, queues, hops, codehosts, log, reader, wrapHop })
const server = await createServer(ctx)
setPort(ctx, config, await listen(server, config))

const receive = createReceiver(ctx, new Probot({ githubToken: 'unused', log }))
const runner = {
  id: 'bench',
  executor,
  version: 'bench',
  slots: config.runnerSlots,
  isAlone: () => true,
  losses: createLosses(),
}
const stopping = new AbortController()
const never = { guard() {}, isResting: () => false, consider: async () => {} }
const workers = await startWorkers(
  connection,
  roles,
  { ctx, receive, runner: { ...runner, stopping: stopping.signal, rest: never } },
  { wrapHop, nextHops },
)
await registerPushedRepository()

async function registerPushedRepository(): Promise<void> {
  const { id, name, default_branch, owner } = pushedRepository
  const person = { codehost_id: owner.id, login: owner.login }
  await registerRepository(
    ctx,
    {
      provider: 'codehost',
      codehost_id: id,
      name,
      default_branch,
      private: false,
      fork: false,
      archived: false,
      description: null,
      language: null,
      owner: { ...person, type: 'User' },
    },
    person,
  )
}

/** Ends what is left of the build at once: only its first job is of interest. */
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
