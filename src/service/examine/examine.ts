import { access, constants, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { repositoriesOf } from '../../codehost/local/repositories.ts'
import type { Config } from '../../config/config.ts'
import { waitsForIsolation } from '../../domain/job/isolation.ts'
import { connectQueues } from '../../queue/connection.ts'
import { openQueues } from '../../queue/queue.ts'
import type { Executor, Probe } from '../../runner/executor.ts'
import { countDeliveries } from '../../store/deliveries/listed-deliveries.ts'
import { liveRunners } from '../../store/jobs/runners.ts'
import { holdsJobs, unsafeForks } from '../holds-jobs.ts'
import { localDatabase } from '../local/local-database.ts'
import { hookNotice } from '../local/local-notices.ts'
import { openExecutor, readImages } from '../open/open-executor.ts'
import { openStore, type Store } from '../open/open-store.ts'
import { withRegisteredApp } from '../registration/registered-app.ts'
import { reportNotices } from '../report-notices.ts'
import { examineAdmins } from './examine-admins.ts'
import { examineApp } from './examine-app.ts'
import { examineCoverage } from './examine-coverage.ts'
import { examineLanguages } from './examine-languages.ts'
import { examineNetwork } from './examine-network.ts'
import { examineNotices } from './examine-notices.ts'
import { examineObjects } from './examine-objects.ts'
import { examineSecrets } from './examine-secrets.ts'
import { examineStorage } from './examine-storage.ts'
import type { Examined } from './examined.ts'

const gibibyte = 2 ** 30

/**
 * Checks everything that the service depends on, one after the other. When the signal is aborted,
 * test programs end, and everything created for them is removed.
 */
export async function* examine(
  config: Config,
  log: Logger,
  stop: AbortSignal = new AbortController().signal,
): AsyncGenerator<Examined> {
  yield await examineFolder(config)
  const opened = await attempt('database', () => openStore(config, log))
  if ('failed' in opened) {
    yield opened.failed
    yield* examineApp(config, log)
    return
  }
  const store = opened.value
  try {
    yield await examineDatabase(config, store)
    yield await examineNotices(store)
    yield await examineStorage(config, store)
    yield await examineObjects(config, store)
    yield await examineSecrets(store)
    yield await examineQueue(config, store)
    yield* examineExecutor(config, stop)
    yield await examineRunners(store)
    yield await examineWebhooks(store)
    yield* examineOutbox(store)
    yield* examineHooks(store)
    const settings = await withRegisteredApp(config, store)
    yield* examineApp(settings, log)
    yield* examineAdmins(settings, store, log)
    if (settings.appId !== undefined) yield* examineCoverage(store)
  } finally {
    await store.close()
  }
}

/** The value of an attempt, or its failure; the service's own messages name the remedy. */
async function attempt<T>(
  subject: string,
  make: () => Promise<T>,
): Promise<{ value: T } | { failed: Examined }> {
  try {
    return { value: await make() }
  } catch (error) {
    return { failed: { subject, verdict: 'failure', found: (error as Error).message } }
  }
}

async function examineFolder({ dataDir }: Config): Promise<Examined> {
  const subject = 'data folder'
  try {
    await access(dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const free = (bavail * bsize) / gibibyte
    const found = `${dataDir} can be written to, ${free.toFixed(1)} GiB are free`
    if (free >= 1) return { subject, verdict: 'ok', found }
    return {
      subject,
      verdict: 'warning',
      found,
      remedy: 'free some space, or set DATA_DIR to another disk',
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') {
      const found = `${dataDir} did not exist and has been created by this check`
      return { subject, verdict: 'ok', found }
    }
    const remedy = 'set DATA_DIR to a folder that this user can write to, or change its owner'
    return { subject, verdict: 'failure', found: `${dataDir} cannot be used (${code})`, remedy }
  }
}

async function examineDatabase(
  { databaseUrl }: Config,
  { db, migrated }: Store,
): Promise<Examined> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version
  `.execute(db)
  const origin = databaseUrl === undefined ? 'embedded' : 'of DATABASE_URL'
  const schema = migrated.length === 0 ? 'is up to date' : `was brought up to date just now`
  const found = `PostgreSQL ${rows[0]?.version} (${origin}) responds, its schema ${schema}`
  return { subject: 'database', verdict: 'ok', found }
}

async function examineQueue({ redisUrl }: Config, store: Store): Promise<Examined> {
  const subject = 'queue'
  const settings = { database: store.connection, redisUrl, onError() {} }
  const connected = await attempt(subject, () => connectQueues(settings, 0))
  if ('failed' in connected) return connected.failed
  const queues = await openQueues(connected.value, () => {})
  try {
    const waiting = Object.values(await queues.waiting()).reduce((sum, count) => sum + count, 0)
    const dead = await queues.dead()
    const where = redisUrl === undefined ? 'PostgreSQL' : 'Redis'
    const found = `entries are kept in ${where}; ${waiting} waiting, ${dead.length} dead`
    if (dead.length === 0) return { subject, verdict: 'ok', found }
    const remedy = `look for "entry is dead" in the log; the newest says: ${dead[0]?.error}`
    return { subject, verdict: 'warning', found, remedy }
  } finally {
    await queues.close()
    await connected.value.close()
  }
}

async function* examineExecutor(config: Config, stop: AbortSignal): AsyncGenerator<Examined> {
  // Not closed: a service that runs at the same time uses the same folder.
  const executor = openExecutor(config, { runnerId: `examination-${process.pid}` })
  const probe = await executor.probe()
  const { ok, says, warnings, isolation } = probe
  const subject = 'executor'
  if (!ok) {
    yield { subject, verdict: 'failure', found: says }
    return
  }
  const held = holdsJobs(config, probe) ? [waitsForIsolation] : []
  const remedy = [...held, ...warnings].join('; ')
  const isGood = (isolation === 'sandbox' || isolation === 'container') && remedy === ''
  yield { subject, verdict: isGood ? 'ok' : 'warning', found: says, ...(remedy ? { remedy } : {}) }
  yield* examineForks(config, probe)
  if (config.executor === 'docker') yield* examineContainers(config, executor, stop)
  else yield await examineLanguages(executor)
}

function* examineForks(config: Config, probe: Probe): Generator<Examined> {
  const { forkApproval } = config
  if (forkApproval === 'always') return
  const subject = 'forks'
  const unsafe = unsafeForks(config, probe)
  if (unsafe !== undefined) yield { subject, verdict: 'failure', found: unsafe }
  else {
    const whose = forkApproval === 'never' ? '' : ' by known authors'
    const found = `pull requests from forks${whose} run without an approval and without secrets`
    yield { subject, verdict: 'ok', found }
  }
}

async function* examineContainers(
  config: Config,
  executor: Executor,
  stop: AbortSignal,
): AsyncGenerator<Examined> {
  const close = () => void executor.close()
  stop.addEventListener('abort', close)
  try {
    const read = await attempt('images', async () => readImages(config))
    yield 'failed' in read ? read.failed : await examineImages(config, executor)
    if (!stop.aborted) yield await examineNetwork(executor)
  } finally {
    stop.removeEventListener('abort', close)
    await executor.close()
  }
}

async function examineImages({ imageDays }: Config, executor: Executor): Promise<Examined> {
  const { images = 0, bytes = 0 } = (await executor.stored?.()) ?? {}
  const size = `${(bytes / 1e9).toFixed(1)} GB`
  const found =
    images === 0
      ? 'this service has pulled none so far'
      : `${images} pulled by this service take ${size}; those that no job uses for ${imageDays} days are removed`
  return { subject: 'images', verdict: 'ok', found }
}

async function examineRunners({ db }: Store): Promise<Examined> {
  const subject = 'runners'
  const alive = await liveRunners(db)
  const troubled = alive.filter(({ problem }) => problem !== null)
  const found = `${alive.length - troubled.length} of ${alive.length} that are alive can start jobs`
  const [first] = troubled
  if (!first) return { subject, verdict: 'ok', found }
  const remedy = `the runner ${first.id} retries automatically; its last problem was: ${first.problem}`
  return { subject, verdict: 'warning', found, remedy }
}

async function examineWebhooks({ db }: Store): Promise<Examined> {
  const subject = 'webhooks'
  const last = await db
    .selectFrom('deliveries')
    .select(['received_at', 'event', 'state', 'outcome'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) {
    const remedy =
      'push to a repository; for one of this machine: build-service local add PATH, then commit'
    return { subject, verdict: 'warning', found: 'none were received so far', remedy }
  }
  const { received_at, event, outcome, state } = last
  const newest = `the last was received at ${received_at.toISOString()}: ${event}, ${outcome ?? state}`
  const { request = 0, ignored = 0, ...others } = await countDeliveries(db)
  const troubled = (['error', 'unknown', 'waiting'] as const).filter((kind) => others[kind])
  const found =
    `${newest}; of the last day’s, ${request} made requests, ${ignored} were ignored` +
    troubled.map((kind) => `, ${others[kind]} ${troubles[kind]}`).join('')
  const [first] = troubled
  if (!first) return { subject, verdict: 'ok', found }
  const remedy =
    `build-service deliveries --outcome ${first} lists them; once the cause is fixed, have the code ` +
    'host send them again'
  return { subject, verdict: 'warning', found, remedy }
}

const troubles = {
  error: 'failed',
  unknown: 'were about unknown repositories',
  waiting: 'are not processed yet',
} as const

async function* examineOutbox({ db }: Store): AsyncGenerator<Examined> {
  const subject = 'reports'
  const notices = await reportNotices(db)
  for (const notice of notices) yield { subject, verdict: 'warning', ...notice }
  if (notices.length > 0) return
  yield { subject, verdict: 'ok', found: 'statuses and checks reach their code host' }
}

async function* examineHooks({ db }: Store): AsyncGenerator<Examined> {
  for (const repository of await repositoriesOf({ db: localDatabase(db) })) {
    const found = await hookNotice(repository)
    if (found !== undefined) yield { subject: 'git hooks', verdict: 'warning', found }
  }
}
