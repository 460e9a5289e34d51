import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { lastPart, type LogLayout } from '../../src/domain/log/log.ts'
import { archiveLogs } from '../../src/flow/logs/archive-logs.ts'
import { endIfReachable, readLog } from '../../src/flow/logs/read-log.ts'
import { createServer } from '../../src/http/server.ts'
import type { Objects, ObjectStore } from '../../src/objects/objects.ts'
import { openObjects } from '../../src/objects/open-objects.ts'
import { insertParts } from '../../src/store/jobs/logs.ts'
import { caller } from '../http/door.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)

const settings = {
  objectStoreUrl: undefined,
  databaseUrl: undefined,
  awsAccessKeyId: undefined,
  awsSecretAccessKey: undefined,
  awsSessionToken: undefined,
  awsRegion: 'us-east-1',
  awsEndpointUrl: undefined,
  logRedirects: true,
}

async function folderOfStore(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'objects-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return dataDir
}

/** A context whose objects are files, and everything below their folder. */
async function withFiles(wrap: (store: ObjectStore) => ObjectStore = (store) => store) {
  const dataDir = await folderOfStore()
  const { current, at } = openObjects({ ...settings, dataDir })
  const objects: Objects = { current: current && wrap(current), at: (place) => wrap(at(place)) }
  const ctx = { ...testContext(db), objects }
  const call = caller(await createServer(ctx))
  const files = async () => {
    const found = await readdir(dataDir, { recursive: true, withFileTypes: true })
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
  }
  return { ctx, call, files }
}

/**
 * Characters that escapes and encodings often get wrong, with a length that differs from part to
 * part.
 */
const textOf = (index: number) =>
  index % 7 === 0
    ? ''
    : `${index} "wörld" \\ 🎉 \u001b[31mred\u001b[0m\r\n`.repeat(1 + (index % 50))

let job: Job

beforeEach(async () => {
  const build = await make.build({ state: 'failed', finished_at: new Date() })
  job = await make.job({ build, state: 'failed', finished_at: new Date() })
  await make.log(job, ...Array.from({ length: 600 }, (_, index) => textOf(index)))
  await age(db, 600)
})

/** The same compressed text with a comment that gives it a length. */
function padded(member: Buffer, size: number): Buffer {
  const comment = Buffer.from(`${' '.repeat(size - member.length - 1)}\0`)
  const head = Buffer.from(member.subarray(0, 10))
  head[3] = 0x10
  return Buffer.concat([head, comment, member.subarray(10)])
}

const reads: readonly (readonly [call: string, accept: string])[] = [
  ['GET /jobs/1/log', 'text/plain'],
  ['GET /jobs/1/log', 'application/json'],
  ['GET /jobs/1/log', 'application/json; chunked=true'],
  ['GET /jobs/1/log?after=300', 'application/json; chunked=true'],
  ['GET /jobs/1/log?part_numbers=2,299,7777', 'application/json; chunked=true'],
  ['GET /jobs/1/log?after=600', 'application/json; chunked=true'],
  ['GET /jobs/1/log.txt?deansi=true', 'text/plain'],
  ['GET /v3/job/1/log/times', 'application/json'],
  ['GET /logs/1', '*/*'],
  ['GET /v3/job/1/log', 'application/json'],
  ['GET /v3/job/1/log.txt', 'text/plain'],
  ['GET /v3/job/1/log_parts', 'application/json'],
  ['GET /v3/job/1/log_parts?after=598', 'application/json'],
  ['GET /v3/job/1/log_parts?content=false', 'application/json'],
  ['GET /v3/job/1?include=job.log_complete', 'application/json'],
  ['GET /octavia/hello/jobs/1', 'text/html'],
  ['GET /octavia/hello/builds/1', 'text/html'],
]

async function answersTo(call: ReturnType<typeof caller>) {
  const all: object[] = []
  for (const [path, accept] of reads) {
    const { statusCode, headers, body } = await call(path, { accept })
    const kept = Object.entries(headers).filter(([name]) => !/^(?:date|ratelimit-)/.test(name))
    all.push({
      path,
      accept,
      statusCode,
      headers: Object.fromEntries(kept),
      body: body.replaceAll(/nonce-[^']+/g, ''),
    })
  }
  return all
}

describe('a finished log', () => {
  test('reads the same everywhere once it has become an object', async () => {
    const { ctx, call, files } = await withFiles()
    const before = await answersTo(call)
    const end = await endIfReachable(ctx, job.id, 2000)
    const text = (await partsOfLog(db, job.id)).map(({ content }) => content).join('')

    await archiveLogs(ctx)
    expect(await partsOfLog(db, job.id)).toEqual([])
    const [file = '', ...others] = await files()
    expect(others).toEqual([])
    expect(gunzipSync(await readFile(file)).toString()).toBe(text)

    const after = await answersTo(call)
    for (const [index, answer] of before.entries()) expect(after[index]).toEqual(answer)
    expect((await endIfReachable(ctx, job.id, 2000))?.endsWith(end ?? 'x')).toBe(true)
    expect(await db.selectFrom('logs').select('archived_at').execute()).not.toEqual([
      { archived_at: null },
    ])

    await archiveLogs(ctx)
    expect(await files()).toEqual([file])
  })

  test('is read to its end by a reader that began before it became an object', async () => {
    const { ctx, call } = await withFiles()
    const whole = await call('GET /v3/job/1/log_parts?after=0')
    const pages = readLog(ctx, job.id)
    const first = await pages.next()
    await archiveLogs(ctx)
    const parts = [...(first.value ?? [])]
    for await (const page of pages) parts.push(...page)
    expect(parts).toEqual((JSON.parse(whole.body) as { log_parts: object[] }).log_parts)
  })

  test('stays in parts while more parts can arrive', async () => {
    const { ctx, files } = await withFiles()
    await db
      .updateTable('log_parts')
      .set({ created_at: new Date() })
      .where('number', '=', 3)
      .execute()
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
    expect(await partsOfLog(db, job.id)).toHaveLength(601)
  })

  test('without a final part stays in parts for some hours', async () => {
    const { ctx, files } = await withFiles()
    await db.updateTable('log_parts').set({ final: false }).execute()
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
    await age(db, 4 * 60 * 60)
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(1)
  })

  test('of an unfinished job stays in parts, however long the job prints nothing', async () => {
    const { ctx, files } = await withFiles()
    await db.updateTable('jobs').set({ state: 'started', finished_at: null }).execute()
    await db.updateTable('log_parts').set({ final: false }).execute()
    await age(db, 4 * 60 * 60)
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
    expect(await partsOfLog(db, job.id)).toHaveLength(601)
    await insertParts(db, { job_id: job.id, attempt: job.attempt }, [
      { number: 602, content: 'after the silence', final: true },
    ])
    expect(await partsOfLog(db, job.id)).toHaveLength(602)
  })

  test('with a missing part waits some hours for that part', async () => {
    const { ctx, call, files } = await withFiles()
    await db.deleteFrom('log_parts').where('number', '=', 2).execute()
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
    await insertParts(db, { job_id: job.id, attempt: job.attempt }, [
      { number: 2, content: 'late, but in time', final: false },
    ])
    await age(db, 600)
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(1)
    expect((await call('GET /v3/job/1/log.txt')).body).toContain('late, but in time')
  })

  test('whose last part is from the service does not wait for earlier parts', async () => {
    const { ctx, files } = await withFiles()
    await db.updateTable('log_parts').set({ number: lastPart }).where('number', '=', 601).execute()
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(1)
  })

  test('without text stays in the database, and takes no more parts', async () => {
    const { ctx, call, files } = await withFiles()
    await db.deleteFrom('log_parts').where('final', '=', false).execute()
    await db.updateTable('log_parts').set({ number: 1 }).execute()
    const before = await answersTo(call)
    await archiveLogs(ctx)
    await insertParts(db, { job_id: job.id, attempt: job.attempt }, [
      { number: 2, content: 'late', final: true },
    ])
    expect(await files()).toEqual([])
    expect(await partsOfLog(db, job.id)).toHaveLength(1)
    expect(await answersTo(call)).toEqual(before)
    expect(await db.selectFrom('logs').select('archived_at').execute()).not.toEqual([
      { archived_at: null },
    ])
  })

  test('rejects parts that arrive after it became an object', async () => {
    const { ctx, call } = await withFiles()
    await archiveLogs(ctx)
    const before = await answersTo(call)
    await insertParts(db, { job_id: job.id, attempt: job.attempt }, [
      { number: 602, content: 'late', final: true },
    ])
    expect(await partsOfLog(db, job.id)).toEqual([])
    expect(await answersTo(call)).toEqual(before)
  })

  test('of an earlier attempt becomes a separate object', async () => {
    const { ctx, call, files } = await withFiles()
    await archiveLogs(ctx)
    const first = await call('GET /v3/job/1/log.txt')
    await db
      .insertInto('job_versions')
      .values({
        job_id: 1,
        number: 1,
        state: 'failed',
        finished_at: new Date(),
        created_at: new Date(),
      })
      .execute()
    await db.updateTable('jobs').set({ attempt: 2 }).execute()
    await insertParts(db, { job_id: job.id, attempt: 2 }, [
      { number: 1, content: 'again\n', final: true },
    ])
    expect((await call('GET /v3/job/1/log.txt')).body).toBe('again\n')
    await age(db, 600)
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(2)
    expect((await call('GET /v3/job/1/log.txt')).body).toBe('again\n')
    expect((await call('GET /v3/job/1/log.txt?log.attempt=1')).body).toBe(first.body)
  })
})

describe('a store', () => {
  test('that does not return the bytes that were written keeps no log', async () => {
    const { ctx, files } = await withFiles((store) => ({
      ...store,
      async put(key, body) {
        await store.put(key, Buffer.from(body.toReversed()))
      },
    }))
    await archiveLogs(ctx)
    expect(await partsOfLog(db, job.id)).toHaveLength(601)
    expect(await files()).toEqual([])
    expect(await db.selectFrom('log_objects').selectAll().execute()).toEqual([])
  })

  test('that loses an object causes an error, not an empty log', async () => {
    const { ctx, call, files } = await withFiles()
    await archiveLogs(ctx)
    for (const file of await files()) await rm(file)
    const { statusCode, body, headers } = await call('GET /jobs/1/log', { accept: 'text/plain' })
    expect([statusCode, headers['retry-after']]).toEqual([503, '30'])
    expect(body).toContain('the store of finished logs cannot be reached: try again later')
    expect((await call('GET /v3/job/1/log')).statusCode).toBe(503)
    const page = await call('GET /octavia/hello/jobs/1', { accept: 'text/html' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(
      'The log is not shown: the store of finished logs cannot be reached',
    )
    expect((await call('GET /octavia/hello/builds/1', { accept: 'text/html' })).statusCode).toBe(
      200,
    )
  })

  test.each([
    ['another text', (bytes: number) => 'f'.repeat(bytes)],
    ['a longer text', (bytes: number) => 'f'.repeat(bytes + 1)],
  ])('in which an object was replaced by %s shows nothing of it', async (_name, planted) => {
    const { ctx, call, files } = await withFiles()
    await archiveLogs(ctx)
    const [file = ''] = await files()
    const body = await readFile(file)
    const { layout } = await db
      .selectFrom('log_objects')
      .select(sql<LogLayout>`layout`.as('layout'))
      .executeTakeFirstOrThrow()
    const [, bytes = 0, size = 0] = layout.members[0] ?? []
    const member = padded(gzipSync(planted(bytes)), size)
    await writeFile(file, Buffer.concat([member, body.subarray(size)]))
    expect(gunzipSync(await readFile(file)).toString()).toMatch(/^f/)
    for (const address of ['GET /jobs/1/log', 'GET /v3/job/1/log.txt', 'GET /v3/job/1/log_parts']) {
      const { statusCode, body } = await call(address, { accept: '*/*' })
      expect([address, statusCode, body.includes('fff')]).toEqual([address, 503, false])
    }
  })

  test('that damages an object shows nothing of it', async () => {
    const { ctx, call, files } = await withFiles()
    await archiveLogs(ctx)
    const [file = ''] = await files()
    const bytes = await readFile(file)
    await writeFile(file, Buffer.concat([bytes.subarray(0, 400), bytes.subarray(401)]))
    expect((await call('GET /jobs/1/log', { accept: 'text/plain' })).statusCode).toBe(503)
  })
})

describe('removing', () => {
  const removal = async (call: ReturnType<typeof caller>) => {
    const pusher = await make.user('pusher')
    const [repository] = await db.selectFrom('repositories').select('id').execute()
    await make.permission(pusher, repository ?? { id: 0 }, 'push')
    return call(
      'PATCH /jobs/1/log',
      { authorization: `token ${pusher.token}` },
      { reason: 'secret' },
    )
  }

  test('a log deletes its object immediately', async () => {
    const { ctx, call, files } = await withFiles()
    await archiveLogs(ctx)
    expect((await removal(call)).statusCode).toBe(200)
    expect(await files()).toEqual([])
    const { body } = await call('GET /jobs/1/log', { accept: 'text/plain' })
    expect(body).toContain('secret')
    expect(body).not.toContain('wörld')
    await age(db, 24 * 60 * 60)
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
  })

  test('a log while its object is being written leaves no object', async () => {
    const removed: number[] = []
    const scene = await withFiles((store) => ({
      ...store,
      async put(key, body) {
        await store.put(key, body)
        removed.push((await removal(scene.call)).statusCode)
      },
    }))
    await archiveLogs(scene.ctx)
    expect(removed).toEqual([200])
    expect(await scene.files()).toEqual([])
    expect(await db.selectFrom('deleted_objects').selectAll().execute()).toEqual([])
    expect((await scene.call('GET /v3/job/1/log.txt')).body).not.toContain('wörld')
  })

  test('a build deletes the objects of its jobs, once the store is reachable again', async () => {
    let isUp = true
    const { ctx, files } = await withFiles((store) => ({
      ...store,
      async delete(key) {
        if (!isUp) await openObjects({ ...settings, dataDir: '/dev/null/x' }).current?.check()
        await store.delete(key)
      },
    }))
    await archiveLogs(ctx)
    isUp = false
    await db.deleteFrom('builds').execute()
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(1)
    isUp = true
    await archiveLogs(ctx)
    expect(await files()).toHaveLength(1)
    await age(db, 120)
    await archiveLogs(ctx)
    expect(await files()).toEqual([])
    expect(await db.selectFrom('deleted_objects').selectAll().execute()).toEqual([])
  })
})

test('concurrent processes archive a log once', async () => {
  const { ctx, files } = await withFiles()
  await Promise.all([archiveLogs(ctx), archiveLogs(ctx), archiveLogs(ctx)])
  const [file = '', ...others] = await files()
  expect(others).toEqual([])
  const text = Array.from({ length: 600 }, (_, index) => textOf(index)).join('')
  const hash = (of: Buffer | string) => createHash('sha256').update(of).digest('hex')
  expect(hash(gunzipSync(await readFile(file)))).toBe(hash(text))
})
