import { ok, type Reply } from './reply.ts'
import type { Call } from './route.ts'

interface Page<T> {
  items: T[]
  headers: Record<string, string>
}

/** The part of a list that a call asks for, and the header with the links to the others. */
function pageOf<T>({ world, path, query }: Call, all: readonly T[]): Page<T> {
  const size = Math.min(sizeOf(query), world.mostPerPage)
  const page = Math.max(Number(query.get('page')) || 1, 1)
  const last = Math.max(Math.ceil(all.length / size), 1)
  const link = (rel: string, number: number) => {
    const search = new URLSearchParams(query)
    search.set('page', String(number))
    return `<${world.apiUrl}${path}?${search}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link('prev', page - 1)] : []),
    ...(page < last ? [link('next', page + 1), link('last', last)] : []),
    ...(page > 1 ? [link('first', 1)] : []),
  ]
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}

export function sizeOf(query: URLSearchParams): number {
  return Math.min(Math.max(Number(query.get('per_page')) || 30, 1), 100)
}

/** Whether a call wants this value of a member, because it says so or says nothing of it. */
export function isWanted({ query }: Call, member: string, value: string): boolean {
  return (query.get(member) ?? value) === value
}

/** A list that is the whole response. */
export function list<T>(call: Call, all: readonly T[], show: (item: T) => unknown): Reply {
  const { items, headers } = pageOf(call, all)
  return ok(items.map(show), headers)
}

/** A list in a member of the response, beside its length. */
export function counted<T>(
  call: Call,
  name: string,
  all: readonly T[],
  show: (item: T) => unknown,
): Reply {
  const { items, headers } = pageOf(call, all)
  return ok({ total_count: all.length, [name]: items.map(show) }, headers)
}
