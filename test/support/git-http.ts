import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GitServer {
  url: string
  /** The authorization header of each request, in order. */
  authorizations: (string | undefined)[]
  close(): Promise<void>
}

/** How the right token is refused, and how often. */
interface Refusals {
  status: 401 | 403
  times: number
}

/** Serves the repositories below a folder over smart HTTP, with a token to those who must have one. */
export async function serveGit(
  root: string,
  token: string | null = null,
  { status, times }: Refusals = { status: 403, times: 0 },
): Promise<GitServer> {
  let refusals = times
  const authorizations: (string | undefined)[] = []
  const wanted = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`

  const server = createServer((request, response) => {
    const { authorization } = request.headers
    authorizations.push(authorization)
    const isRight = token === null || authorization === wanted
    if (isRight && refusals === 0) return void answer(root, request, response)
    if (isRight) refusals -= 1
    request.resume()
    const code = isRight ? status : 401
    response.writeHead(code, { 'www-authenticate': 'Basic realm="git"' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    authorizations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await askGit(root, request)
  response.writeHead(status, headers).end(body)
}

export interface GitReply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** The response of git, for the request's path below `root` or another one. */
export function askGit(
  root: string,
  request: IncomingMessage,
  { pathname, search }: Pick<URL, 'pathname' | 'search'> = new URL(
    request.url ?? '/',
    'http://localhost',
  ),
): Promise<GitReply> {
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  // The client may go away before the program has read everything.
  backend.stdin.on('error', () => {})
  request.pipe(backend.stdin)
  // Nor does a pipe end when the client dies: the program would wait for the rest forever.
  request.once('close', () => (request.complete ? backend.stdin.end() : backend.kill()))

  const chunks: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => backend.on('close', () => resolve(readReply(chunks))))
}

function readReply(chunks: readonly Buffer[]): GitReply {
  const all = Buffer.concat(chunks)
  const end = all.indexOf('\r\n\r\n')
  const lines = all.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(': ', 2)
      return [name.toLowerCase(), value]
    }),
  )
  const status = Number.parseInt(headers.status ?? '200', 10)
  return { status, headers, body: all.subarray(end + 4) }
}
