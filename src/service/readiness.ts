import { access, constants, statfs } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import type { PartReadiness, Readiness } from '../domain/readiness.ts'
import { counted } from '../domain/text/counted.ts'
import type { Context } from '../flow/context.ts'
import type { Queues } from '../queue/queue.ts'
import { countUnarchived } from '../store/jobs/log-objects.ts'
import { liveRunners } from '../store/jobs/runners.ts'

const mebibyte = 2 ** 20
const leastMebibytes = 100
const patience = 5000

interface Parts extends Pick<Context, 'db' | 'log' | 'objects'> {
  queues: Pick<Queues, 'waiting'>
  config: Pick<Config, 'dataDir'>
}

/** Checks every part that the service needs for its work, for `GET /ready`. */
export async function readiness({ log, ...parts }: Parts): Promise<Readiness> {
  const checks = { database, queue, disk, objects, runners }
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return [name, await inTime(check(parts))] as const
      } catch (error) {
        // Anyone can read the response, so addresses go to the log only.
        log.warn({ part: name, err: error }, 'a part of the service is not ready')
        const failed = { ok: false, says: 'it cannot be reached; the log says why' }
        return [name, name === 'objects' ? { ...failed, optional: true } : failed] as const
      }
    }),
  )
  return Object.fromEntries(found)
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it did not respond in time')), patience)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

type Check = Omit<Parts, 'log'>

async function database({ db }: Check): Promise<PartReadiness> {
  await db.selectNoFrom((eb) => eb.val(1).as('one')).execute()
  return { ok: true, says: 'it responds' }
}

async function queue({ queues }: Check): Promise<PartReadiness> {
  const waiting = Object.values(await queues.waiting()).reduce((sum, count) => sum + count, 0)
  return { ok: true, says: `${waiting} entries are waiting` }
}

async function disk({ config: { dataDir } }: Check): Promise<PartReadiness> {
  await access(dataDir, constants.W_OK)
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / mebibyte)
  return {
    ok: free >= leastMebibytes,
    says: `${free} MiB are free; at least ${leastMebibytes} MiB are needed`,
  }
}

/**
 * Without an object store, logs stay in the database and archived logs cannot be read; builds
 * continue.
 */
async function objects({ db, objects: { current } }: Check): Promise<PartReadiness> {
  if (!current) return { ok: true, optional: true, says: 'logs stay in the database' }
  await current.check()
  const waiting = await countUnarchived(db)
  return {
    ok: waiting === 0,
    optional: true,
    says:
      waiting === 0 ? 'it responds' : `it responds, and ${counted(waiting, 'log')} wait for hours`,
  }
}

async function runners({ db }: Check): Promise<PartReadiness> {
  const alive = await liveRunners(db)
  const able = alive.filter(({ problem }) => problem === null)
  return { ok: able.length > 0, says: `${able.length} of ${alive.length} can start jobs` }
}
