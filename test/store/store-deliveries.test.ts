import { expect, test } from 'vitest'
import { storeDeliveries } from '../../src/store/deliveries/deliveries.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()

const webhook = (guid: string) => ({
  ...{ guid, provider: 'codehost' as const, event: 'push', action: null, sealed: false },
  ...{ repository_codehost_id: 1, installation_codehost_id: 2, body: Buffer.from(guid) },
})

test('concurrent writes of the same webhooks in any order do not wait for each other', async () => {
  for (let round = 0; round < 20; round += 1) {
    const guids = Array.from({ length: 64 }, (_, index) => `${round}-${index}`)
    const [one, other] = await Promise.all([
      storeDeliveries(db, guids.map(webhook)),
      storeDeliveries(db, guids.toReversed().map(webhook)),
    ])
    expect([...one.keys(), ...other.keys()].toSorted()).toEqual(guids.toSorted())
  }
  const rows = await db.selectFrom('deliveries').select(['guid', 'body']).execute()
  expect(rows).toHaveLength(20 * 64)
  for (const { guid, body } of rows) expect(body?.toString()).toBe(guid)
})
