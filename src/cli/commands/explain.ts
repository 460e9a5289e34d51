import type { Request } from '../../domain/request.ts'
import { visible } from '../../domain/visible.ts'
import { findDeliveryByGuid, type ListedDelivery } from '../../store/listed-deliveries.ts'
import { largestId } from '../../store/repositories.ts'
import { requestsOfCommit } from '../../store/listed-requests.ts'
import { findRequest, findRequestOfDelivery } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'
import { deliveryFacts, deliveryLines } from '../delivery-facts.ts'
import { UsageError } from '../explain.ts'
import { requestFacts, requestLines } from '../request-facts.ts'
import { addressOf, printJson, withStore } from '../with-store.ts'

/** Requests of one commit that are shown: pushed, in pull requests, and repeated. */
const mostRequests = 20

/** Says why a webhook, a request or a commit led to a build, or to none. */
export async function explain(subject: string, { json }: { json?: boolean }): Promise<void> {
  await withStore(async ({ db, sealer }, config) => {
    const found = await find(db, subject)
    const url = await addressOf(config, sealer)
    const requests = await Promise.all(
      found.requests.map((request) => requestFacts(db, request, url)),
    )
    const { delivery } = found
    if (json) {
      return printJson({ delivery: delivery ? deliveryFacts(delivery) : null, requests })
    }
    const parts = [
      ...(delivery
        ? [deliveryLines({ ...deliveryFacts(delivery), request: null, build: null })]
        : []),
      ...requests.map(requestLines),
    ]
    console.log(parts.map((lines) => lines.join('\n')).join('\n\n'))
  })
}

interface Found {
  delivery?: ListedDelivery
  requests: Request[]
}

/** A number is a request's id, seven and more hexadecimal digits a commit, anything else a webhook. */
async function find(db: Database, subject: string): Promise<Found> {
  const delivery = await findDeliveryByGuid(db, subject)
  if (delivery) {
    const request = await findRequestOfDelivery(db, delivery.id)
    return { delivery, requests: request ? [request] : [] }
  }
  const id = /^\d+$/.test(subject) ? Number(subject) : Number.NaN
  const request = id <= largestId ? await findRequest(db, id) : undefined
  if (request) return { requests: [request] }
  const isSha = /^[0-9a-f]{7,40}$/i.test(subject)
  const requests = isSha ? await requestsOfCommit(db, subject.toLowerCase(), mostRequests) : []
  if (requests.length > 0) return { requests }
  throw new UsageError(isSha ? unheard(subject) : unknown(subject))
}

function unheard(sha: string): string {
  return (
    `no request is about a commit ${sha}: build-service deliveries lists the webhooks that came, ` +
    'build-service catch-up looks for those that did not'
  )
}

function unknown(subject: string): string {
  return (
    `there is no request, webhook or commit ${visible(subject)}: give the id of a request, the id ` +
    'of a webhook as build-service deliveries lists it, or at least 7 digits of a commit'
  )
}
