import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerCall } from './answer-call.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { isMembers, type Members } from './body.ts'
import { createFailures, type Failure, type Failures, failed } from './failures.ts'
import { createLimits } from './limits.ts'
import { Refusal, type Reply } from './reply.ts'
import { sendReply } from './send.ts'
import { answerGit, readGitCall } from './smart-http.ts'
import type { World } from './world.ts'

/** A call as it came in, and what became of it. */
export interface RecordedCall {
  /** `GET /repos/octavia/hello?page=2`, without what stands before all paths of the interface. */
  call: string
  /** `app`, `installation 4102`, `user octavia`, `nobody`, or `refused` with bad credentials. */
  as: string
  headers: Readonly<Record<string, string>>
  /** The members of what was sent as JSON or as a form. */
  body: Members
  /** 0 without a response. */
  status: number
  /** The members of the response; its bytes, where it is no JSON. */
  answer: unknown
}

export interface Server {
  calls: RecordedCall[]
  failures: Failures
  /** Has connections refused until the returned function is called. */
  refuseConnections(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Opens the one HTTP server of the code host, for its interface, its pages, and git. */
export async function openServer(world: World): Promise<Server> {
  const calls: RecordedCall[] = []
  const failures = createFailures()
  const http = createServer((request, response) => void handle(request, response))
  const port = await listen(0)
  world.url = `http://127.0.0.1:${port}`
  world.apiUrl = `${world.url}/api/v3`
  const limits = createLimits(world)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', world.url)
    target.pathname = target.pathname.replace(/^\/api(?:\/v3(?=\/)|(?=\/graphql$))/, '')
    const headers = request.headers as Record<string, string>
    const recorded: RecordedCall = {
      call: `${request.method} ${target.pathname}${target.search}`,
      as: nameOf(world, headers),
      headers,
      body: {},
      status: 0,
      answer: undefined,
    }
    calls.push(recorded)

    const failure = failures.take(recorded.call)
    if (failure?.kind === 'silent') return
    if (failure?.kind === 'broken') return void request.destroy()
    if (failure?.kind === 'slow') await failure.until

    const reply = await replyTo(request, target, recorded, failure).catch(mishap)
    recorded.status = reply.status
    recorded.answer = reply.body
    if (failure?.kind === 'late') await failure.until
    sendReply(world, response, reply, failure?.kind === 'truncated')
  }

  async function replyTo(
    request: IncomingMessage,
    target: URL,
    recorded: RecordedCall,
    failure: Failure | undefined,
  ): Promise<Reply> {
    const wrong = failure && failed(world, failure)
    const git = readGitCall(target)
    if (git) return wrong ?? answerGit(world, git, request)

    const { headers } = recorded
    const body = readMembers(await readBody(request), headers['content-type'])
    recorded.body = body
    if (wrong && failure.kind !== 'done_but_502') return wrong
    const { pathname: path, searchParams: query } = target
    const call = { world, method: request.method ?? '', path, headers, body, query }
    const reply = await answerCall(limits, call)
    return wrong ?? reply
  }

  function listen(at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      http.once('error', reject)
      http.listen(at, '127.0.0.1', () => resolve((http.address() as AddressInfo).port))
    })
  }

  function close(): Promise<void> {
    return new Promise((resolve) => {
      http.close(() => resolve())
      http.closeAllConnections()
    })
  }

  return {
    calls,
    failures,
    async refuseConnections() {
      await close()
      return async () => void (await listen(port))
    },
    stop: close,
  }
}

/** What is wrong with the fake itself should be seen where it is used. */
function mishap(error: unknown): Reply {
  if (error instanceof Refusal) return error.reply
  return { status: 500, body: { message: `the fake code host: ${(error as Error).stack}` } }
}

function nameOf(world: World, { authorization }: Readonly<Record<string, string>>): string {
  try {
    return nameOfCaller(authenticate(world, authorization))
  } catch {
    return 'refused'
  }
}

function nameOfCaller(caller: Caller): string {
  if (caller.kind === 'installation') return `installation ${caller.installation.id}`
  return caller.kind === 'user' ? `user ${caller.user.login}` : caller.kind
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function readMembers(body: Buffer, type = ''): Members {
  if (body.length === 0) return {}
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body.toString()))
  }
  try {
    const value: unknown = JSON.parse(body.toString())
    return isMembers(value) ? value : {}
  } catch {
    throw new Refusal({ status: 400, message: 'Problems parsing JSON' })
  }
}
