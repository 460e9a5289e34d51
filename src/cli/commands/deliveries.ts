import type { DeliveryResult } from '../../domain/delivery.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { findDeliveryByGuid, listDeliveries } from '../../store/deliveries/listed-deliveries.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { Database } from '../../store/tables.ts'
import { deliveryFacts, deliveryLines, deliveryRow, followingOf } from '../delivery-facts.ts'
import { UsageError } from '../errors.ts'
import { tableLines } from '../linter/table.ts'
import { addressOf, printJson, withStore } from '../with-store.ts'

interface ListOptions {
  repository?: string
  outcome?: DeliveryResult | 'waiting'
  limit: number
  json?: boolean
}

export async function list({ repository, outcome, limit, json }: ListOptions): Promise<void> {
  await withStore(async ({ db }) => {
    const about = repository === undefined ? {} : { repository: await known(db, repository) }
    const wanted = outcome === undefined ? {} : { result: outcome }
    const found = await listDeliveries(db, { ...about, ...wanted, limit })
    if (json) return printJson(found.map(deliveryFacts))
    if (found.length === 0) {
      console.log('no matching webhook was received: run build-service doctor to find the cause')
      return
    }
    const heads = ['RECEIVED', 'EVENT', 'REPOSITORY', 'OUTCOME', 'GUID', 'IN WORDS']
    for (const line of tableLines(heads, found.map(deliveryRow))) console.log(line)
  })
}

export async function show(guid: string, { json }: { json?: boolean }): Promise<void> {
  await withStore(async ({ db }, config) => {
    const delivery = await findDeliveryByGuid(db, guid)
    if (!delivery) {
      throw new UsageError(
        `webhook ${visible(guid)} was not received; to list received webhooks, run build-service deliveries`,
      )
    }
    const url = await addressOf(config)
    const facts = { ...deliveryFacts(delivery), ...(await followingOf(db, delivery, url)) }
    if (json) return printJson(facts)
    for (const line of deliveryLines(facts)) console.log(line)
  })
}

async function known(db: Database, slug: string) {
  const repository = await findRepository(db, { slug })
  if (repository) return repository
  throw new UsageError(
    `the repository ${visible(slug)} is not known here: install the app on it, ` +
      'or register it with build-service local add PATH',
  )
}
