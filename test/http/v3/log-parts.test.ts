import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { logParts as parts, makeBuildsWithLogs, wholeLog } from './build-scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

beforeAll(() => makeBuildsWithLogs(db))

describe('GET /job/{job.id}/log_parts', () => {
  const listed = (log_parts: object[]) => ({
    status: 200,
    body: { '@type': 'log_parts', '@representation': 'standard', log_parts },
  })

  test.each<[string, object[]]>([
    ['', wholeLog],
    ['?after=1', parts.slice(1)],
    ['?after=-5', parts],
    ['?after=99999999999', []],
    ['?part_numbers=1,3', [parts[0] ?? {}, parts[2] ?? {}]],
    ['?part_numbers[]=2&part_numbers[]=9', [parts[1] ?? {}]],
    ['?part_numbers=2,9&require_all=true', []],
    ['?part_numbers=2,3&require_all=true', parts.slice(1)],
    ['?require_all=true', wholeLog],
    ['?content=false', [{ number: 0, final: true }]],
    ['?content=false&after=0', parts.map(({ number, final }) => ({ number, final }))],
    ['?content=true&after=2', parts.slice(2)],
    ['?log_parts.after=1', parts.slice(1)],
    ['?log_parts[part_numbers]=2&log.attempt=1', [parts[1] ?? {}]],
  ])('%j', async (query, expected) => {
    expect(await call(`GET /job/1/log_parts${query}`)).toEqual(listed(expected))
  })

  test.each(['after=x', 'after=', 'part_numbers=1,x', 'part_numbers=-1', 'include=zzz'])(
    'refuses %s',
    async (query) => {
      expect(await call(`GET /job/1/log_parts?${query}`)).toMatchObject({
        status: 400,
        body: { error_type: 'wrong_params' },
      })
    },
  )

  test('warns of unknown parameters', async () => {
    expect((await call('GET /job/1/log_parts?limit=1')).body).toMatchObject({
      '@warnings': [{ parameter: 'limit' }],
      log_parts: wholeLog,
    })
  })

  test('keep their numbers while the job runs, and for a client that follows it to the end', async () => {
    await db.updateTable('jobs').set({ state: 'started' }).where('id', '=', 1).execute()
    expect(await call('GET /job/1/log_parts')).toEqual(listed(parts))
    expect((await call('GET /job/1/log')).body).toMatchObject({ log_parts: parts })
    await db.updateTable('jobs').set({ state: 'passed' }).where('id', '=', 1).execute()
    expect(await call('GET /job/1/log_parts?after=1')).toEqual(listed(parts.slice(1)))
    expect((await call('GET /job/1/log')).body).toMatchObject({ log_parts: wholeLog })
    expect(await call('GET /job/1/log_parts?part_numbers=0&require_all=true')).toEqual(
      listed(wholeLog),
    )
  })

  test('stay separate while the last output of a canceled job is still arriving', async () => {
    const open = parts.slice(0, -1)
    const last = parts.at(-1)
    await db
      .deleteFrom('log_parts')
      .where('log_id', '=', 1)
      .where('number', '=', last?.number ?? 0)
      .execute()
    await db.updateTable('jobs').set({ state: 'canceled' }).where('id', '=', 1).execute()
    expect(await call('GET /job/1/log_parts')).toEqual(listed(open))
    await db.updateTable('logs').set({ scanned_at: new Date() }).where('id', '=', 1).execute()
    const content = open.map((part) => part.content).join('')
    expect(await call('GET /job/1/log_parts')).toEqual(
      listed([{ number: 0, content, final: true }]),
    )
  })
})
