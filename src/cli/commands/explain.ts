import type { Request } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { findBuild } from '../../store/builds/builds.ts'
import {
  findDeliveryByGuid,
  idleDeliveriesOfCommit,
  type ListedDelivery,
} from '../../store/deliveries/listed-deliveries.ts'
import { largestId } from '../../store/repositories/repositories.ts'
import { requestsOfCommit } from '../../store/requests/listed-requests.ts'
import { findRequest, findRequestOfDelivery } from '../../store/requests/requests.ts'
import type { Database } from '../../store/tables.ts'
import { deliveryFacts, deliveryLines } from '../delivery-facts.ts'
import { UsageError } from '../errors.ts'
import { requestFacts, requestLines } from '../request-facts.ts'
import { addressOf, printJson, withStore } from '../with-store.ts'

/** Most requests of one commit that are shown: pushed, in pull requests, and repeated; and most webhooks. */
const mostShown = 20

/** Explains why a webhook, a request or a commit led to a build, or to none. */
export async function explain(subject: string, { json }: { json?: boolean }): Promise<void> {
  await withStore(async ({ db }, config) => {
    const found = await find(db, subject)
    const url = await addressOf(config)
    const requests = await Promise.all(
      found.requests.map((request) => requestFacts(db, request, url)),
    )
    const deliveries = found.deliveries.map(deliveryFacts)
    if (json) {
      const { delivery } = found
      return printJson({
        delivery: delivery ? deliveryFacts(delivery) : null,
        requests,
        deliveries,
      })
    }
    const parts = [
      ...deliveries.map((facts) => deliveryLines({ ...facts, request: null, build: null })),
      ...requests.map(requestLines),
    ]
    console.log(parts.map((lines) => lines.join('\n')).join('\n\n'))
  })
}

interface Found {
  /** The requested webhook. */
  delivery?: ListedDelivery
  /** The requested webhook, or the webhooks about the commit that led to no request. */
  deliveries: ListedDelivery[]
  requests: Request[]
}

/** A number is a request's id, the address of a page its build's, seven and more hexadecimal digits a commit, anything else a webhook. */
async function find(db: Database, subject: string): Promise<Found> {
  const delivery = await findDeliveryByGuid(db, subject)
  if (delivery) {
    const request = await findRequestOfDelivery(db, delivery.id)
    return { delivery, deliveries: [delivery], requests: request ? [request] : [] }
  }
  const request = await requestNamed(db, subject)
  if (request) return { deliveries: [], requests: [request] }
  const isSha = /^[0-9a-f]{7,64}$/i.test(subject)
  if (!isSha) throw new UsageError(unknown(subject))
  const digits = subject.toLowerCase()
  const requests = await requestsOfCommit(db, digits, mostShown)
  const deliveries = await idleDeliveriesOfCommit(db, digits, mostShown)
  if (requests.length + deliveries.length > 0) return { deliveries, requests }
  throw new UsageError(unheard(subject))
}

/** The request with this id, or that of the build with this page: `builds/7`, or its whole address. */
async function requestNamed(db: Database, subject: string): Promise<Request | undefined> {
  const [, ofBuild] = /(?:^|\/)builds\/(\d+)\/?$/.exec(subject) ?? []
  const id = Number(ofBuild ?? (/^\d+$/.test(subject) ? subject : Number.NaN))
  if (!(id <= largestId)) return undefined
  if (ofBuild === undefined) return findRequest(db, id)
  const build = await findBuild(db, id)
  return build && findRequest(db, build.request_id)
}

function unheard(sha: string): string {
  return (
    `no request and no webhook names the commit ${sha}: build-service deliveries lists the received webhooks, ` +
    'build-service catch-up looks for lost ones'
  )
}

function unknown(subject: string): string {
  return (
    `there is no request, webhook or commit ${visible(subject)}: give the id of a request, ` +
    'the address of the page of a build, the id ' +
    'of a webhook as build-service deliveries lists it, or at least 7 digits of a commit'
  )
}
