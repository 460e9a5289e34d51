import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Guard } from './guard.ts'
import { NotifyError } from './notify-error.ts'

/** An HTTP request to post, and its target. */
export interface Post {
  url: string
  /** Whether errors must not name the host. */
  secret: boolean
  /** Includes `content-type`. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** Milliseconds that a target has for the whole request: a slow target must not hold up the others. */
const timeLimit = 10_000

/** The longest pause that a target can request, in seconds. */
const longestPause = 60 * 60

/**
 * Posts, and resolves with the status once the target has accepted; throws a NotifyError otherwise.
 * Connects to an address permitted by the guard; without a guard, to any address of the name. Redirects
 * are not followed. Only the status and headers of the response are read.
 */
export async function post(
  { url, secret, headers, body }: Post,
  guard: Guard | null,
): Promise<number> {
  const address = readUrl(url)
  const target = secret
    ? { url: address, name: hidden, hostname: hidden }
    : { url: address, name: address.host, hostname: address.hostname }
  const signal = AbortSignal.timeout(timeLimit)
  const addresses = await guarded(target, guard, signal)
  const response = await send(
    target,
    { headers: { ...headers, ...login(address) }, body },
    { addresses, signal },
  )
  return judge(target, response)
}

interface Target {
  url: URL
  /** The name of the target shown to users, with the port in `name` only. */
  name: string
  hostname: string
}

/** The name shown to users instead of a secret host. */
const hidden = 'the target'

/** The URL to post to. Throws a NotifyError that does not repeat the URL, which may contain a secret. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  const message = 'the address is not one that begins with http:// or https://'
  throw new NotifyError(message, { temporary: false })
}

async function guarded(
  target: Target,
  guard: Guard | null,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (!guard) return null
  const tooLate = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(slow(target)), { once: true })
  })
  return Promise.race([guard.addressesOf(target.url, target.hostname), tooLate])
}

interface Connection {
  addresses: readonly string[] | null
  signal: AbortSignal
}

function send(
  target: Target,
  { headers, body }: Pick<Post, 'headers' | 'body'>,
  { addresses, signal }: Connection,
): Promise<Pick<http.IncomingMessage, 'statusCode' | 'headers'>> {
  const { protocol, hostname, port, pathname, search } = target.url
  const { request } = protocol === 'https:' ? https : http
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        method: 'POST',
        protocol,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        path: `${pathname}${search}`,
        headers: { ...headers, 'content-length': bytes.length },
        // A new connection: a kept connection could lead to an address that was permitted earlier.
        agent: false,
        signal,
        ...(addresses ? { lookup: pinned(addresses) } : {}),
      },
      (response) => {
        resolve(response)
        response.destroy()
      },
    )
    sent.on('error', (error) => reject(signal.aborted ? slow(target) : unreachable(target, error)))
    sent.end(bytes)
  })
}

/** Performs no lookup: a name resolves to the addresses that were permitted. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, done) => {
    const [first] = found
    if (options.all) done(null, found)
    else done(null, first?.address ?? '', first?.family)
  }
}

/** The header for the user name and password in the URL, before the `@`. */
function login({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const plain = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function judge(
  { name }: Target,
  { statusCode: status = 0, headers }: Pick<http.IncomingMessage, 'statusCode' | 'headers'>,
): number {
  if (status >= 200 && status < 300) return status
  if (status >= 300 && status < 400) {
    const message = `${name} redirects (${status}), which is not followed: use its new address`
    throw new NotifyError(message, { temporary: false, status })
  }
  const temporary = status === 408 || status === 429 || status >= 500
  const asked = Number.parseInt(headers['retry-after'] ?? '', 10)
  const retryAfter = asked > 0 ? Math.min(asked, longestPause) : null
  throw new NotifyError(`${name} responded with ${status}`, { temporary, status, retryAfter })
}

function slow({ name }: Target): NotifyError {
  const message = `${name} did not respond within ${timeLimit / 1000} seconds`
  return new NotifyError(message, { temporary: true })
}

function unreachable({ name }: Target, cause: Error & { code?: string }): NotifyError {
  return new NotifyError(`${name} cannot be reached (${cause.code ?? 'no connection'})`, {
    temporary: true,
    cause,
  })
}
