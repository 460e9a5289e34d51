import type { IncomingHttpHeaders } from 'node:http'

/** One entry of an `Accept` header. */
export interface Accepted {
  type: string
  subtype: string
  /** `2` or `2.1`, when the entry names one. */
  version: string | undefined
  params: ReadonlyMap<string, string>
}

interface Weighed extends Accepted {
  quality: number
}

/**
 * The entries of an `Accept` header, best first: by quality, then fewer stars, then more parameters.
 * A missing header accepts everything.
 */
export function parseAccept(header: string | undefined): Accepted[] {
  const entries = (header ?? '').split(',').map((entry) => entry.replaceAll(/\s/g, ''))
  const named = entries.filter((entry) => entry !== '').map(readEntry)
  const all = named.length > 0 ? named : [readEntry('*/*')]
  return all.toSorted(
    (a, b) => b.quality - a.quality || stars(a) - stars(b) || b.params.size - a.params.size,
  )
}

function readEntry(entry: string): Weighed {
  const [range = '', ...rest] = entry.split(';')
  const params = new Map(
    rest.map((param) => {
      const [name = '', value = ''] = param.split('=', 2)
      return [name.toLowerCase(), value] as const
    }),
  )
  const quality = Number(params.get('q') ?? 1)
  params.delete('q')
  const [type = '*', subtype = '*'] = range.toLowerCase().split('/', 2)
  const [, version, format] = /^vnd\.service\.([\d.]+)\+(.+)$/.exec(subtype) ?? []
  return {
    type,
    subtype: format ?? subtype,
    version: version ?? params.get('version'),
    params,
    quality: Number.isNaN(quality) ? 1 : quality,
  }
}

function stars({ type, subtype }: Accepted): number {
  return Number(type === '*') + Number(subtype === '*')
}

export function accepts(entry: Accepted, type: string): boolean {
  const [wanted, subtype] = type.split('/')
  if (entry.type === '*' && entry.subtype === '*') return true
  return entry.type === wanted && (entry.subtype === '*' || entry.subtype === subtype)
}

/** Whether a resource, which is always JSON, is acceptable. */
export function acceptsJson(header: string | undefined): boolean {
  return parseAccept(header).some((entry) => accepts(entry, 'application/json'))
}

/** `2` for a client that requests V2; everything else is V2.1 (D23). */
export function versionOf(headers: IncomingHttpHeaders): '2' | '2.1' {
  const entry = parseAccept(headers.accept).find(({ version }) => version !== undefined)
  const version = headers['service-api-version'] ?? entry?.version
  return version === '2' ? '2' : '2.1'
}
