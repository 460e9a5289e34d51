import { parametersOf } from './shown-query.ts'

/** A page as requested; `count` is null if the request skips counting. */
interface RequestedPage {
  limit: number
  offset: number
  count: number | null
}

/** The `@pagination` member: the position of the page, and the paths of its neighbours. */
export function paginationOf(page: RequestedPage, url: string, href: (path: string) => string) {
  const { limit, offset } = page
  // Uncounted lists never seem to end: clients continue until a page is empty.
  const count = page.count ?? offset + 2 * limit
  const pageAt = (target: number, size = limit) => ({
    '@href': href(target === offset && size === limit ? url : urlAt(url, target, size)),
    offset: target,
    limit: size,
  })
  return {
    limit,
    offset,
    count,
    is_first: offset === 0,
    is_last: count <= offset + limit,
    next: count <= offset + limit ? null : pageAt(offset + limit),
    prev: offset === 0 ? null : previous(offset, limit, pageAt),
    first: pageAt(0),
    last: pageAt(Math.max(0, Math.ceil(count / limit) - 1) * limit),
  }
}

/** The page before an offset smaller than the limit is shorter. */
function previous<P>(offset: number, limit: number, pageAt: (offset: number, limit?: number) => P) {
  return offset <= limit ? pageAt(0, offset) : pageAt(offset - limit)
}

/** The URL of another page: with its limit and offset, and the caller's other parameters as written. */
function urlAt(url: string, offset: number, limit: number): string {
  const end = url.indexOf('?')
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
  const kept = parametersOf(query).filter(({ name }) => name !== 'limit' && name !== 'offset')
  const parameters = [
    ...kept,
    { text: `limit=${limit}`, name: 'limit' },
    { text: `offset=${offset}`, name: 'offset' },
  ].toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  return `${path}?${parameters.map(({ text }) => text).join('&')}`
}
