// A build file is decided in one transaction, whatever it contains: the database must accept all of
// it.
import { beforeEach, expect, test } from 'vitest'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const codehost = memoryCodehost()
const ctx = testContext(db, { codehost })
let repositoryId = 0

beforeEach(async () => {
  repositoryId = (await factories(db).repository()).id
})

async function push(file: string) {
  codehost.files.set(tip, file)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  const received = await receiveEvent(ctx, pushTo(repository))
  if (!('request' in received)) throw new Error('the push was not received')
  await acceptRequest(ctx, received.request.id)
  const request = db.selectFrom('requests').select(['state', 'result'])
  return request.where('id', '=', received.request.id).executeTakeFirst()
}

const accepted = { state: 'finished', result: 'accepted' }

const odd = String.raw`"a\0b\udfff"`
const section = `
  ${odd}: ${odd}
  env: {${odd}: ${odd}}
  language: ${odd}
  stages: [${odd}]
  jobs: {include: [{name: ${odd}, stage: ${odd}, script: ${odd}}]}
`

test('texts that PostgreSQL cannot store are removed from all parts of a build file', async () => {
  expect(await push(section)).toEqual(accepted)
  const jobs = db.selectFrom('jobs').innerJoin('stages', 'stages.id', 'jobs.stage_id')
  const names = await jobs.select(['jobs.name', 'stages.name as stage']).execute()
  const clean = expect.stringMatching(/^ab\uFFFD$/i) as string
  expect(names).toEqual([{ name: clean, stage: clean }])
})

test('such texts are removed from imports as well', async () => {
  const imports = `  import: [{source: ${odd}, if: ${odd}}, {source: "o\\0/n:a.yml"}]\n`
  expect(await push(`${section}${imports}`)).toEqual(accepted)
})

test('more messages than one statement can hold are all stored', async () => {
  const odd = 'ap_key: x, APP: x, runn: x, skip_cleanup: maybe'
  const entries = Array.from(
    { length: 2100 },
    (_none, index) => `- {provider: x${index}, ${odd}, edge: [${index}]}`,
  )
  expect(await push(`script: make\ndeploy:\n${entries.join('\n')}\n`)).toEqual(accepted)
  const counts = await db
    .selectFrom('request_messages')
    .select(({ fn }) => ['code', fn.countAll().as('count')])
    .groupBy('code')
    .execute()
  const counted = Object.fromEntries(counts.map(({ code, count }) => [code, Number(count)]))
  expect(counted).toMatchObject({
    unknown_value: 2000,
    unknown_key: 2000,
    find_key: 2000,
    invalid_type: 2000,
    deprecated_key: 2000,
    unexpected_seq: 2000,
    more_alike: 6,
  })
})
