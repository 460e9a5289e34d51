import { describe, expect, test } from 'vitest'
import { markDeliveryEnded } from '../../../src/store/deliveries/deliveries.ts'
import { age } from '../../support/age.ts'
import { ownDatabase } from '../../support/database.ts'
import { openIntake, push, taken } from './intake.ts'

const { db } = await ownDatabase()
const { deliver, enqueued, stored } = await openIntake(db)

describe('a delivery that is sent again', () => {
  const end = (result: 'noted' | 'error') => markDeliveryEnded(db, 1, { result, outcome: 'x' })

  test('a hundred times at once is stored and enqueued once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(push)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    const [only, ...more] = await stored()
    expect(more).toEqual([])
    expect(enqueued).toEqual([only?.id])
  })

  test('together with many others is stored once, as is each of them', async () => {
    const guids = Array.from({ length: 100 }, (_, index) => `guid-${index % 50}`)
    await Promise.all(
      guids.map((guid) => deliver(push, { headers: { 'x-github-delivery': guid } })),
    )
    expect((await stored()).map(({ guid }) => guid).toSorted()).toEqual(
      [...new Set(guids)].toSorted(),
    )
    expect(enqueued).toHaveLength(50)
  })

  test('while it is waiting gets 204, and keeps waiting', async () => {
    await deliver(push)
    expect(await deliver(push)).toEqual(taken)
    expect(enqueued).toEqual([1])
  })

  test('after it was processed gets 204, and is not processed again', async () => {
    await deliver(push)
    await end('noted')
    expect(await deliver(push)).toEqual(taken)
    expect(await stored()).toMatchObject([{ state: 'processed' }])
    expect(enqueued).toEqual([1])
  })

  test('after it failed is processed again', async () => {
    await deliver(push)
    await end('error')
    expect(await deliver(push)).toEqual(taken)
    expect(await stored()).toMatchObject([{ state: 'received' }])
    expect(enqueued).toEqual([1, 1])
  })

  test('after it was lost is processed again', async () => {
    await deliver(push)
    await age(db, 6 * 60)
    await deliver(push)
    expect(enqueued).toEqual([1, 1])
  })
})
