import { leadingInteger } from '../../core/leading-integer.ts'

/** Which page of a list is shown, from 1, and how many rows all pages have. */
export interface Paging {
  number: number
  size: number
  count: number
}

/** The requested page number in a query; 1 if it is invalid. */
export function pageNumberIn(query: Readonly<Record<string, unknown>>): number {
  return Math.max(1, leadingInteger(query.page, 1_000_000))
}

interface PagerProps extends Paging {
  path: string
  /** The filter of the list, for the address of each page. */
  query?: URLSearchParams
}

/** Links to the neighbouring pages of a list; nothing if one page holds all. */
export function Pager({ number, size, count, path, query }: PagerProps) {
  const last = Math.max(1, Math.ceil(count / size))
  if (last === 1 && number === 1) return null
  return (
    <nav class="pager" aria-label="Pages">
      {number > 1 && (
        <a rel="prev" href={pageHref(path, query, Math.min(number, last + 1) - 1)}>
          Newer
        </a>
      )}
      <span class="faint">
        Page {number.toLocaleString('en-US')} of {last.toLocaleString('en-US')}
      </span>
      {number < last && (
        <a rel="next" href={pageHref(path, query, number + 1)}>
          Older
        </a>
      )}
    </nav>
  )
}

function pageHref(path: string, filter: URLSearchParams | undefined, number: number): string {
  const query = new URLSearchParams(filter)
  if (number > 1) query.set('page', String(number))
  return query.size === 0 ? path : `${path}?${query}`
}
