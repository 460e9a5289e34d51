// The table of endpoints: a row for each, which every question about all of them reads.
import type { Database } from '../../src/store/tables.ts'
import { variableOf } from './endpoints/keep.ts'
import { pages } from './endpoints/pages.ts'
import { filled, pathsOf, reached, type Words, wordsIn } from './endpoints/paths.ts'
import type { Row, Rows } from './endpoints/row.ts'
import { ofAdministrator, type OfRecords } from './endpoints/statuses.ts'
import { v2 } from './endpoints/v2.ts'
import { v3 } from './endpoints/v3.ts'

const tables = { v2, v3, page: pages } satisfies Record<string, Rows>
export type Generation = keyof typeof tables
export const generations = Object.keys(tables) as Generation[]

/** A row at one of its paths. */
export interface Endpoint {
  generation: Generation
  /** `GET /repos/:owner/:name` */
  name: string
  method: string
  path: string
  paths: readonly string[]
  row: Row
}

/** Every endpoint of these generations, once for each path. */
export function endpointsOf(...of: readonly Generation[]): Endpoint[] {
  return of.flatMap((generation) =>
    Object.entries<Row>(tables[generation]).flatMap(([key, row]) => {
      const [method = '', first = ''] = key.split(' ')
      const paths = pathsOf(first)
      return paths.map((path) => ({
        ...{ generation, name: `${method} ${path}`, method, path, paths, row },
      }))
    }),
  )
}

/**
 * The calls of a row as they are at one of its paths: those of this path, and those that are only a query. If
 * there are none, those of the first path, with what this one names besides.
 */
export function callsAt<T>(
  { path, paths }: Endpoint,
  calls: readonly (readonly [call: string, value: T])[],
  words: Words,
  other?: (name: string) => string,
): [call: string, value: T][] {
  const [first = ''] = paths
  const own = calls.filter(([call]) => !call.startsWith('/') || reached(paths, call) === path)
  if (own.length > 0) {
    const here = filled(path, words, other)
    return own.map(([call, value]) => [call.startsWith('/') ? call : here + call, value])
  }
  return calls.flatMap(([call, value]) => {
    const { query = '', ...named } = wordsIn(first, call) ?? {}
    return reached(paths, call) === first
      ? [[filled(path, { ...words, ...named }, other) + query, value]]
      : []
  })
}

/** The query that the first call of a row has, in a scene. */
export const queryOf = ({ calls = '' }: Row, { id = '1' }: Words) =>
  ([calls].flat()[0] ?? '').replace(/^[^?]*/, '').replaceAll('{id}', id)

/** How an endpoint is called in any scene. */
export function callIn(endpoint: Endpoint, words: Words): string {
  return filled(endpoint.path, words) + queryOf(endpoint.row, words)
}

/** What paths name in the scene of `status-scene.ts`. */
const scene: Words = {
  ...{ owner: 'octavia', name: 'r{id}', login: 'octavia', codehost_id: '1', provider: 'codehost' },
  ...{ branch: 'main', '*': 'main', setting: 'build_pushes', preference: 'build_emails' },
  ...{ env_var: variableOf('{id}'), delivery: 'guid-1', link: '1-1-forged', preview: 'other' },
  ...{ code: 'unknown_key', resource: 'repository', action: 'find' },
}

const numbered = () => '{id}'

/** The calls of an endpoint in that scene, with `{id}` for the number of the record. */
export function callsOf(endpoint: Endpoint): string[] {
  const { path, row } = endpoint
  const calls = [row.calls ?? ''].flat().map((call) => [call, undefined] as const)
  const found = callsAt(endpoint, calls, scene, numbered).map(([call]) => call)
  const bySlug =
    row.calls === undefined && path.startsWith('/repos/:id')
      ? found.map((call) => call.replace('{id}', 'octavia%2Fr{id}'))
      : []
  return [...new Set([...found, ...bySlug])]
}

/** That of what has finished. */
export function finishedOf(endpoint: Endpoint): [call: string, statuses: OfRecords] | undefined {
  const { finished } = endpoint.row
  return finished && callsAt(endpoint, [finished], scene, numbered)[0]
}

export const accept = (version: string) => `application/vnd.service.${version}+json, */*`

export const headersOf: Readonly<Record<Generation, Record<string, string>>> = {
  v2: { accept: accept('2.1') },
  v3: { 'service-api-version': '3' },
  page: { accept: 'text/html' },
}

/** A call with its status for one kind of caller. */
export interface StatusRow {
  id: number
  asked: string
  who: string
  expected: number
}

export const callers = ['member', 'other', 'nobody'] as const

/** A call for each record and caller. */
export function statusRows(call: string, statuses: OfRecords): StatusRow[] {
  return statuses.flatMap((expected, index) =>
    callers.map((who, column) => ({
      id: index + 1,
      asked: call.replaceAll('{id}', String(index + 1)),
      who,
      expected: expected[column] ?? 0,
    })),
  )
}

/** Those of a generation. */
export function rowsOf(generation: Generation): StatusRow[] {
  return endpointsOf(generation).flatMap((endpoint) =>
    callsOf(endpoint).flatMap((path) =>
      statusRows(`${endpoint.method} ${path}`, endpoint.row.statuses),
    ),
  )
}

/** Those of V2.1 in V2, where anonymous callers log in before anything is missing. */
export function rowsInV2(): StatusRow[] {
  const inV2 = ({ statuses, inV2 }: Row) =>
    inV2 ??
    statuses.map(
      ([member, other, nobody]) => [member, other, nobody === 404 ? 401 : nobody] as const,
    )
  return endpointsOf('v2').flatMap((endpoint) =>
    callsOf(endpoint).flatMap((path) =>
      statusRows(`${endpoint.method} ${path}`, inV2(endpoint.row)),
    ),
  )
}

/** Whether it is an endpoint once more, at another of its paths. */
export const isFirst = ({ path, paths }: Endpoint) => path === paths[0]

/** Whether it is about a record of a repository. */
export const isBelowRepository = ({ row }: Endpoint) => row.statuses.length === 5

/** The lowest role on a repository that an endpoint takes, and the status of callers with a lower one. */
export function roleOf({ statuses, finished, role }: Row) {
  const [[done, refusal] = []] = finished?.[1] ?? statuses
  return { lowest: role ?? (refusal === done ? 'pull' : 'push'), refusal }
}

/** Whether all that an endpoint does for its caller is to read. */
export const isRead = ({ method, path, row }: Endpoint) =>
  (method === 'GET' && row.scope === undefined && !path.startsWith('/auth/')) ||
  ['/lint', '/streaming/auth'].includes(path)

/** What paths name in the database of `many-builds.ts`. */
const many: Readonly<Record<'v2' | 'v3', Words>> = {
  v2: { build: '5', request: '5', owner: 'octavia' },
  v3: {
    ...{ build: '5', job: '5', request: '5', branch: 'main', login: 'octavia', delivery: 'guid-5' },
  },
}

/** Calls that read more rows where there are more builds. */
function readsOf(isOfThem: (row: Row) => boolean): string[] {
  return (['v2', 'v3'] as const).flatMap((generation) =>
    endpointsOf(generation)
      .filter((endpoint) => endpoint.method === 'GET' && isRead(endpoint) && isFirst(endpoint))
      .filter(({ row }) => isOfThem(row))
      .flatMap((endpoint) => {
        const path = filled(endpoint.path, many[generation])
        const plans = [endpoint.row.plans ?? queryOf(endpoint.row, {})].flat()
        // By any of its paths.
        return plans.map((call) => (call.startsWith('/') ? call : path + call))
      })
      .map((path) => (generation === 'v3' ? `/v3${path}` : path)),
  )
}

export const readsOfMany = readsOf(({ statuses }) => statuses !== ofAdministrator)
export const readsOfAdministrators = readsOf(({ statuses }) => statuses === ofAdministrator)

/** What rows keep for a repository, with the ids by the names of the variables of templates. */
export async function keepAll(
  db: Database,
  repository_id: number,
): Promise<Record<string, string>> {
  const rows = endpointsOf(...generations).filter(isFirst)
  const kept = rows.flatMap(({ row: { keep } }) => (keep ? [keep(db, repository_id)] : []))
  return Object.assign({}, ...(await Promise.all(kept))) as Record<string, string>
}
