import type { Build } from '../domain/build.ts'
import type { Commit } from '../domain/commit.ts'
import type { RequestMessage } from '../domain/request/request.ts'
import { listed, prepared } from './prepared.ts'
import type { RawConfig } from './raw-configs.ts'
import type { Database } from './tables.ts'
import { buildIn, commitIn, type Written } from './written.ts'

/** What is shown of a request besides its own columns. */
export interface RequestParts {
  commit: Commit | null
  build: Build | null
  /** The most severe first. */
  messages: RequestMessage[]
  /** In order of precedence, each source once. */
  raw_configs: RawConfig[]
}

/** The same as a statement writes it. */
export interface WrittenRequestParts {
  commit: Written<Commit> | null
  build: Written<Build> | null
  messages: RequestMessage[]
  raw_configs: RawConfig[]
}

/** The columns with the parts of a row of `requests`. */
export const requestParts = `
    (select row_to_json(commits) from commits where commits.id = requests.commit_id) as commit,
    (select row_to_json(builds) from builds where builds.request_id = requests.id) as build,
    coalesce((
      select json_agg(row_to_json(request_messages)
        order by array_position(array['alert','error','warn','info'], level), request_messages.id)
      from request_messages where request_messages.request_id = requests.id
    ), '[]') as messages,
    coalesce((
      select json_agg(json_build_object(
        'source', source, 'sha', sha, 'text', text, 'merge_mode', merge_mode
      ) order by position)
      from request_configs join raw_configs on raw_configs.id = raw_config_id
      where request_configs.request_id = requests.id and not exists (
        select from request_configs as earlier
        where earlier.request_id = requests.id and earlier.source = request_configs.source
          and earlier.position < request_configs.position)
    ), '[]') as raw_configs`

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

const readParts = prepared<WrittenRequestParts & { id: number }>(`
  select requests.id, ${requestParts}
  from requests where requests.id = any(${listed('$1', 'bigint[]')})
`)

/** Those of each of these requests, in their order, in one statement. */
export async function partsOfRequests(
  db: Database,
  ids: readonly number[],
): Promise<(RequestParts | undefined)[]> {
  const rows = await readParts(db, ids)
  const found = new Map(rows.map((row) => [row.id, requestPartsIn(row)]))
  return ids.map((id) => found.get(id))
}
