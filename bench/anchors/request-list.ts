// The least that a list of requests has to do: one prepared query, an object for each row, and
// `JSON.stringify`. Who calls and what they can see is not looked at.
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

const time = (column: string, name: string) =>
  `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${name}`

const text = `
  select requests.id, requests.repository_id, requests.commit_id, requests.owner_id, owner_type,
    requests.event_type, base_commit, head_commit, result, requests.message,
    ${time('requests.created_at', 'created_at')}, builds.id as build_id,
    sha, commits.branch, tag_name, commits.message as commit_message,
    ${time('committed_at', 'committed_at')}, author_name, author_email, committer_name,
    committer_email, compare_url, pull_requests.number, pull_requests.title
  from requests
  left join commits on commits.id = requests.commit_id
  left join builds on builds.request_id = requests.id
  left join pull_requests on pull_requests.id = requests.pull_request_id
  where requests.repository_id = $1
  order by requests.id desc limit $2
`

interface Row {
  id: string
  repository_id: string
  commit_id: string
  owner_id: string
  owner_type: string
  event_type: string
  base_commit: string | null
  head_commit: string | null
  result: string | null
  message: string | null
  created_at: string
  build_id: string | null
  sha: string
  branch: string
  tag_name: string | null
  commit_message: string
  committed_at: string
  author_name: string
  author_email: string
  committer_name: string
  committer_email: string
  compare_url: string
  number: string | null
  title: string | null
}

const requestOf = (row: Row) => ({
  id: Number(row.id),
  repository_id: Number(row.repository_id),
  commit_id: Number(row.commit_id),
  created_at: row.created_at,
  owner_id: Number(row.owner_id),
  owner_type: row.owner_type,
  event_type: row.event_type,
  base_commit: row.base_commit,
  head_commit: row.head_commit,
  result: row.result,
  message: row.message,
  pull_request: row.event_type === 'pull_request',
  pull_request_number: row.number === null ? null : Number(row.number),
  pull_request_title: row.title,
  branch: row.branch,
  tag: row.tag_name,
  build_id: row.build_id === null ? null : Number(row.build_id),
})

const commitOf = (row: Row) => ({
  id: Number(row.commit_id),
  sha: row.sha,
  branch: row.branch,
  tag: row.tag_name,
  message: row.commit_message,
  committed_at: row.committed_at,
  author_name: row.author_name,
  author_email: row.author_email,
  committer_name: row.committer_name,
  committer_email: row.committer_email,
  compare_url: row.compare_url,
  pull_request_number: null,
})

interface Asked {
  Querystring: { repository_id: string; limit: string }
}

export function listRequests(app: FastifyInstance, pool: pg.Pool): void {
  const types = { getTypeParser: () => (value: string) => value }
  app.get<Asked>('/requests', async ({ query: { repository_id, limit } }, reply) => {
    const values = [repository_id, limit]
    const { rows } = await pool.query<Row>({ name: 'requests', text, values, types })
    // Each has a commit of its own, newest first.
    const answer = { requests: rows.map(requestOf), commits: rows.toReversed().map(commitOf) }
    return reply.type('application/json;charset=utf-8').send(Buffer.from(JSON.stringify(answer)))
  })
}
