import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { askGit } from '../git-http.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { announcePushes } from './events/push.ts'
import { branchesAndTags } from './git.ts'
import { canSee, findBySlug, may } from './reach.ts'
import { Refusal, type Reply } from './reply.ts'
import { type Account, isSameName, type Repository, slugOf } from './tables.ts'
import type { World } from './world.ts'

export interface GitCall {
  slug: string
  /** What of the repository is asked for. */
  rest: string
  search: string
  writes: boolean
}

/** What a git wants that fetches or pushes; undefined for other calls. */
export function readGitCall({ pathname, search, searchParams }: URL): GitCall | undefined {
  const service = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/info\/refs|\/git-(?:upload|receive)-pack)$/
  const found = service.exec(decodeURIComponent(pathname))
  if (!found) return undefined
  const [, slug = '', rest = ''] = found
  const wanted = searchParams.get('service') ?? rest.slice(1)
  return { slug, rest, search, writes: wanted === 'git-receive-pack' }
}

/** Serves git, which sends its token as the password, and reports what was pushed. */
export async function answerGit(
  world: World,
  call: GitCall,
  request: IncomingMessage,
): Promise<Reply> {
  try {
    const caller = callerOf(world, request)
    const repository = reach(world, call, caller)
    const before = await branchesAndTags(world, repository)
    const pathname = `/${path.basename(repository.folder)}${call.rest}`
    const reply = await askGit(world.folder, request, { pathname, search: call.search })
    if (call.rest === '/git-receive-pack') {
      await announcePushes(world, repository, before, actorOf(world, caller))
    }
    return reply
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

function callerOf(world: World, { headers }: IncomingMessage): Caller {
  try {
    return authenticate(world, headers.authorization)
  } catch {
    throw unauthorized()
  }
}

function reach(world: World, { slug, rest, search, writes }: GitCall, caller: Caller): Repository {
  const repository = findBySlug(world.tables.repositories, slug)
  if (!repository || !canSee(world, caller, repository)) {
    // Git asks for a password when it is told to, and only then.
    throw caller.kind === 'nobody' ? unauthorized() : told(404, 'Repository not found.')
  }
  if (!isSameName(slugOf(repository), slug)) {
    const location = `${world.url}/${slugOf(repository)}.git${rest}${search}`
    throw told(301, 'Moved', { location })
  }
  if (may(caller, repository, 'contents', writes ? 'write' : 'read')) return repository
  if (caller.kind === 'nobody') throw unauthorized()
  throw told(403, `Permission to ${slugOf(repository)}.git denied.`)
}

function actorOf(world: World, caller: Caller): Account {
  return caller.kind === 'user' ? caller.user : world.app.bot
}

function unauthorized(): Refusal {
  return told(401, 'Authentication failed.', { 'www-authenticate': 'Basic realm="GitHub"' })
}

function told(status: number, message: string, headers: Record<string, string> = {}): Refusal {
  return new Refusal({ status, message, headers })
}
