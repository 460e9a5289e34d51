import { visible } from '../domain/text/escape-control-characters.ts'
import { shownTime } from '../domain/time/shown-time.ts'
import { buildUrl } from '../flow/statuses/links.ts'
import { findBuildOfRequest } from '../store/builds/builds.ts'
import type { ListedDelivery } from '../store/deliveries/listed-deliveries.ts'
import { findRequestOfDelivery } from '../store/requests/requests.ts'
import type { Database } from '../store/tables.ts'

type Facts = ReturnType<typeof deliveryFacts>
type Following = Awaited<ReturnType<typeof followingOf>>

/** The public facts of a webhook, without its payload, which may hold private data. */
export function deliveryFacts(delivery: ListedDelivery) {
  const { guid, provider, event, action, slug, repository_codehost_id } = delivery
  const { result, outcome, received_at, processed_at } = delivery
  return {
    guid,
    provider,
    event,
    action,
    repository: slug,
    repository_codehost_id,
    received_at,
    processed_at,
    outcome: result ?? ('waiting' as const),
    message: outcome,
  }
}

/** The request and the build that a webhook led to. */
export async function followingOf(db: Database, { id, slug }: ListedDelivery, publicUrl: string) {
  const request = await findRequestOfDelivery(db, id)
  const build = request && (await findBuildOfRequest(db, request.id))
  return {
    request: request
      ? {
          id: request.id,
          state: request.state,
          result: request.result,
          reason: request.reason,
          message: request.message,
        }
      : null,
    build: build
      ? {
          id: build.id,
          number: build.number,
          state: build.state,
          url: buildUrl({ publicUrl }, slug ?? '', build.id),
        }
      : null,
  }
}

/** Received, event, repository, outcome, guid, and the outcome in words. */
export function deliveryRow(delivery: ListedDelivery): string[] {
  const facts = deliveryFacts(delivery)
  const { received_at, outcome, guid, message } = facts
  const about = [eventText(facts), repositoryText(facts) ?? '']
  return [shownTime(received_at), ...about, outcome, guid, message ?? '']
}

/** One line for each known fact; characters that act on a terminal are escaped. */
export function deliveryLines(facts: Facts & Following): string[] {
  const { guid, received_at, processed_at, outcome, message, request, build } = facts
  const rows: [string, string | null][] = [
    ['guid', guid],
    ['event', eventText(facts)],
    ['repository', repositoryText(facts)],
    ['received', shownTime(received_at)],
    ['processed', processed_at && shownTime(processed_at)],
    ['outcome', withMessage(outcome, message)],
    ['request', request && withMessage(`${request.id}, ${stateText(request)}`, request.message)],
    ['build', build && `#${build.number}, ${build.state}: ${build.url}`],
  ]
  return rows.flatMap(([name, text]) => (text === null ? [] : `${name.padEnd(12)}${visible(text)}`))
}

function eventText({ event, action }: Pick<Facts, 'event' | 'action'>): string {
  return action === null ? event : `${event} ${action}`
}

function repositoryText({
  repository,
  repository_codehost_id,
}: Pick<Facts, 'repository' | 'repository_codehost_id'>): string | null {
  if (repository !== null || repository_codehost_id === null) return repository
  return `unknown (${repository_codehost_id})`
}

function stateText({ state, result }: NonNullable<Following['request']>): string {
  return result ?? (state === 'started' ? 'being decided' : 'waiting')
}

function withMessage(text: string, message: string | null): string {
  return message === null ? text : `${text}: ${message}`
}
