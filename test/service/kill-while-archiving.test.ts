import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { age } from '../support/age.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { emptyEverything } from '../support/local-story.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)

const parts = Array.from({ length: 400 }, (_, index) => `line ${index} wörld\n`.repeat(60))
const text = parts.join('')

let dataDir: string
let folder: string
let running: ServiceProcess[] = []

beforeEach(() => {
  dataDir = scratchFolder()
  folder = path.join(dataDir, 'kept')
  mkdirSync(folder)
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  running = []
  await emptyEverything(db)
})

async function start(killAt?: string): Promise<ServiceProcess> {
  const service = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(connection),
    ROLE: 'web,worker',
    OBJECT_STORE_URL: pathToFileURL(folder).href,
    ...(killAt === undefined ? {} : { KILL_AT: killAt }),
  })
  running.push(service)
  return service
}

async function finishedLog(): Promise<number> {
  const build = await make.build({ state: 'passed', finished_at: new Date() })
  const job = await make.job({ build, state: 'passed', finished_at: new Date() })
  await make.log(job, ...parts)
  await age(db, 600)
  return job.id
}

const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

const partsLeft = () => db.selectFrom('log_parts').select('number').execute()
const toDelete = () => db.selectFrom('deleted_objects').select('key').execute()

const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 100_000, interval: 200 })

test.each(['before put object', 'after put object', 'before get object', 'after get object'])(
  'a service that is killed %s loses no log, and leaves one object for the log',
  async (killAt) => {
    const id = await finishedLog()
    const doomed = await start(killAt)
    await doomed.gone
    expect(await partsLeft()).toHaveLength(parts.length + 1)

    // No process can still be writing the object.
    await age(db, 700)
    const { url } = await start()
    await eventually(async () => expect(await partsLeft()).toEqual([]))
    await age(db, 700)
    await eventually(async () => expect(await toDelete()).toEqual([]))
    const [file = '', ...others] = files()
    expect(others).toEqual([])
    expect(gunzipSync(readFileSync(file)).toString()).toBe(text)
    expect(await (await fetch(`${url}/v3/job/${id}/log.txt`)).text()).toBe(text)
  },
  240_000,
)

test.each(['before delete object', 'after delete object'])(
  'a service that is killed %s deletes the object after its restart',
  async (killAt) => {
    await finishedLog()
    const first = await start()
    await eventually(async () => expect(await partsLeft()).toEqual([]))
    await first.stop()
    await db.deleteFrom('builds').execute()
    await age(db, 60)
    await (
      await start(killAt)
    ).gone

    await age(db, 60)
    await start()
    await eventually(async () => expect(await toDelete()).toEqual([]))
    expect(files()).toEqual([])
  },
  240_000,
)
