import type { Caller } from './authenticate.ts'
import type { Members } from './body.ts'
import { reachRepository } from './reach.ts'
import type { Reply } from './reply.ts'
import type { Repository } from './tables.ts'
import type { World } from './world.ts'

/** A call that was understood. */
export interface Call {
  world: World
  caller: Caller
  method: string
  /** Without what stands before all paths of the interface. */
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  /** The members of a JSON object or a form. */
  body: Members
}

export interface RepositoryCall extends Call {
  repository: Repository
}

type Answers<C> = (call: C) => Reply | Promise<Reply>

export interface Route {
  method: string
  pattern: RegExp
  answer: Answers<Call>
}

/** `GET /users/{username}`; a name with a star, `{path*}`, takes the rest with its slashes. */
export function route(line: string, answer: Answers<Call>): Route {
  const [method = '', path = ''] = line.split(' ', 2)
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{(\w+)\*\}/g, '(?<$1>.*)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { method, pattern: new RegExp(`^${source}$`), answer }
}

/** A call about a repository, which is named by its slug or its id and must be within reach. */
export function repositoryRoute(
  line: string,
  permission: string,
  answer: Answers<RepositoryCall>,
): Route[] {
  const [method = '', rest = ''] = line.split(' ', 2)
  const level = method === 'GET' ? 'read' : 'write'
  return ['/repos/{owner}/{repo}', '/repositories/{repository_id}'].map((start) =>
    route(`${method} ${start}${rest}`, (call) => {
      const repository = reachRepository(call, permission, level)
      return answer({ ...call, repository })
    }),
  )
}

/** The parameters of a path that a route takes, and the route. */
export function findRoute(routes: readonly Route[], method: string, path: string) {
  for (const each of routes) {
    const match = each.method === method ? each.pattern.exec(path) : null
    if (match) return { answer: each.answer, params: decoded(match.groups ?? {}) }
  }
  return undefined
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(params)
  return Object.fromEntries(entries.map(([name, text]) => [name, decodeURIComponent(text)]))
}
