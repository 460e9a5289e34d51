import type { Build } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import type { RequestMessage } from '../../domain/request/request.ts'
import { buildIn, commitIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'
import type { RawConfig } from './raw-configs.ts'

/** The data shown with a request in addition to its own columns. */
export interface RequestParts {
  commit: Commit | null
  build: Build | null
  /** The most severe messages first. */
  messages: RequestMessage[]
  /** In order of precedence, each source once. */
  raw_configs: RawConfig[]
}

/** The parts of a request as a statement returns them. */
export interface WrittenRequestParts {
  commit: Written<Commit> | null
  build: Written<Build> | null
  messages: RequestMessage[]
  raw_configs: RawConfig[]
}

/** The columns with the parts of a row of `requests`; `text` is the SQL for a configuration's text. */
const partsWith = (text: string) => `
    (select row_to_json(commits) from commits where commits.id = requests.commit_id) as commit,
    (select row_to_json(builds) from builds where builds.request_id = requests.id) as build,
    coalesce((
      select json_agg(row_to_json(request_messages)
        order by array_position(array['alert','error','warn','info'], level), request_messages.id)
      from request_messages where request_messages.request_id = requests.id
    ), '[]') as messages,
    coalesce((
      select json_agg(json_build_object(
        'source', source, 'sha', sha, 'text', ${text}, 'merge_mode', merge_mode,
        'id', raw_configs.id
      ) order by position)
      from request_configs join raw_configs on raw_configs.id = raw_config_id
      where request_configs.request_id = requests.id and not exists (
        select from request_configs as earlier
        where earlier.request_id = requests.id and earlier.source = request_configs.source
          and earlier.position < request_configs.position)
    ), '[]') as raw_configs`

/** The columns with the parts of a row of `requests`. */
export const requestParts = partsWith('text')

export function requestPartsIn({
  commit,
  build,
  messages,
  raw_configs,
}: WrittenRequestParts): RequestParts {
  return {
    commit: commit && commitIn(commit),
    build: build && buildIn(build),
    messages,
    raw_configs,
  }
}

interface Untold {
  id: number
  text: null
}

type WrittenWithoutTexts = Omit<WrittenRequestParts, 'raw_configs'> & {
  raw_configs: (Omit<RawConfig, 'text'> & Untold)[]
}

const readParts = prepared<WrittenWithoutTexts & { id: number }>(`
  select requests.id, ${partsWith('null')}
  from requests where requests.id = any(${listed('$1', 'bigint[]')})
`)

/** Most requests of a repository share texts: each is read once, and none if their total is too long. */
const readTexts = prepared<{ id: number; text: string }>(`
  select id, text from (
    select id, text, sum(octet_length(text)) over () as length
    from raw_configs where id = any(${listed('$1', 'bigint[]')})
  ) as texts where length <= $2::bigint
`)

/**
 * The parts of each of these requests, in their order, in two statements; undefined if the texts of all
 * configurations exceed `mostBytes`.
 */
export async function partsOfRequests(
  db: Database,
  ids: readonly number[],
  mostBytes: number,
): Promise<(RequestParts | undefined)[] | undefined> {
  const rows = await readParts(db, ids)
  const wanted = new Set(rows.flatMap(({ raw_configs }) => raw_configs.map(({ id }) => id)))
  const read = await readTexts(db, [...wanted], mostBytes)
  if (read.length < wanted.size) return undefined
  const texts = new Map(read.map(({ id, text }) => [id, text]))
  const found = new Map(
    rows.map((row) => {
      const raw_configs = row.raw_configs.map((each) => ({
        ...each,
        text: texts.get(each.id) ?? '',
      }))
      return [row.id, requestPartsIn({ ...row, raw_configs })]
    }),
  )
  return ids.map((id) => found.get(id))
}
