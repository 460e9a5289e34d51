import { beforeEach, expect, test } from 'vitest'
import type { DeliveryResult } from '../../../../src/domain/delivery.ts'
import type { Repository } from '../../../../src/domain/repository.ts'
import { createServer } from '../../../../src/http/server.ts'
import { age } from '../../../support/age.ts'
import { testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller } from '../../door.ts'
import { textIn } from '../reading.ts'

const db = await testDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

let repository: Repository
let count = 0

beforeEach(async () => {
  repository = await make.repository({ name: 'hello' })
})

/** A webhook about the repository, processed unless it has no result. */
async function received(result: DeliveryResult | null, outcome: string | null, sealed = false) {
  const { provider, codehost_id } = repository
  const about = { provider, repository_codehost_id: codehost_id, event: 'push', sealed }
  const guid = `guid-${(count += 1)}`
  const state = result === null ? ('received' as const) : ('processed' as const)
  await db
    .insertInto('deliveries')
    .values({ ...about, guid, state, result, outcome })
    .execute()
}

async function shown() {
  const { body } = await call('GET /octavia/hello', { accept: 'text/html' })
  return textIn(body).split('Webhooks that changed nothing ')[1]
}

test('webhooks that changed nothing are shown on the page of their repository, newest first', async () => {
  await received('request', 'created request 1')
  await received('noted', 'branch main exists now')
  expect(await shown()).toBeUndefined()
  await received('ignored', 'branch main was deleted')
  await received('error', 'internal error: TypeError')
  expect(await shown()).toMatch(
    /^Failed internal error: TypeError push just now Ignored branch main was deleted push just now /,
  )
})

test('a webhook that is not processed is shown within a minute', async () => {
  await received(null, null)
  expect(await shown()).toBeUndefined()
  await age(db, 40)
  expect(await shown()).toMatch(/^Waiting It is not processed yet; it is tried again push /)
})

test('a webhook is shown for a week, and never if the repository was private when it arrived', async () => {
  await received('ignored', 'branch secret-plan was deleted', true)
  expect(await shown()).toBeUndefined()
  await received('ignored', 'branch main was deleted')
  await age(db, 8 * 24 * 60 * 60)
  expect(await shown()).toBeUndefined()
})
