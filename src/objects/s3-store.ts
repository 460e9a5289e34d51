import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import {
  type ByteRange,
  checkKey,
  MissingObject,
  type ObjectStore,
  type Shown,
  StoreError,
} from './objects.ts'

/** The usual variables of clients of S3. */
export interface S3Access {
  awsAccessKeyId: string | undefined
  awsSecretAccessKey: string | undefined
  awsSessionToken: string | undefined
  awsRegion: string
  awsEndpointUrl: string | undefined
  /** Whether clients of the API are sent to the store, which they must then reach. */
  logRedirects: boolean
}

/** Milliseconds for one try, and how many tries there are. */
const patience = 10_000
const mostTries = 3

/** Milliseconds before the second try; the third waits for twice as long, give or take. */
const firstPause = 200

interface Call {
  method: 'DELETE' | 'GET' | 'HEAD' | 'PUT'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer<ArrayBuffer>
}

interface Reply {
  status: number
  headers: Headers
  body: Buffer
}

/** Keeps objects in a bucket of an S3-compatible store. */
export function openS3Store(place: string, access: S3Access): ObjectStore {
  const { awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey } = access
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new StoreError(
      `${place} cannot be read without AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    )
  }
  const { base, region, prefix } = bucketOf(place, access.awsRegion)
  const signing = {
    accessKeyId,
    secretAccessKey,
    ...(access.awsSessionToken === undefined ? {} : { sessionToken: access.awsSessionToken }),
    service: 's3',
    region,
  }
  // How far the store's clock is ahead of ours, once it has refused a call for that.
  let ahead = 0
  const datetime = () => new Date(Date.now() + ahead).toISOString().replaceAll(/[-:]|\.\d+/g, '')

  const urlOf = ({ key, query = {} }: Pick<Call, 'key' | 'query'>) => {
    const url = new URL(key === undefined ? base : `${base}/${prefix}${checkKey(key)}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function once({ method, body, headers, ...target }: Call): Promise<Reply> {
    const signer = new AwsV4Signer({
      ...signing,
      method,
      url: urlOf(target).href,
      headers: { ...headers, 'x-amz-content-sha256': hashOf(body ?? '') },
      datetime: datetime(),
    })
    const signed = await signer.sign()
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      ...(body ? { body } : {}),
    })
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  /** Makes a call, again if it may succeed then. Every one of ours can be repeated. */
  async function send(call: Call): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const found = await once(call).catch((error: unknown) => error)
      const isLast = tries === mostTries
      if (!isReply(found)) {
        if (isLast) throw unreachable(found)
      } else if (isSkewed(found) && !isLast) {
        ahead = clockOf(found) - Date.now()
        continue
      } else if (isLast || !isPassing(found)) return found
      await pause(firstPause * tries * (0.5 + Math.random()))
    }
  }

  const unreachable = (error: unknown) => {
    const { name, message, cause } = error as Error
    const why =
      name === 'TimeoutError'
        ? 'it does not respond in time'
        : ((cause as Error)?.message ?? message)
    return new StoreError(`${place} cannot be reached: ${why}`, error)
  }

  function refused(reply: Reply, what: string): StoreError {
    const code = codeOf(reply)
    const region = reply.headers.get('x-amz-bucket-region')
    const advice =
      region && region !== signing.region
        ? `: the bucket is in the region ${region}, so set AWS_REGION to it`
        : adviceFor(code, reply.status)
    return new StoreError(`${place} refused to ${what} with ${reply.status} ${code}${advice}`)
  }

  async function put(key: string, body: Buffer<ArrayBuffer>): Promise<void> {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'private, no-transform',
    }
    const reply = await send({ method: 'PUT', key, body, headers })
    if (reply.status !== 200) throw refused(reply, 'store an object')
  }

  async function get(key: string, range?: ByteRange): Promise<Buffer> {
    const reply = await send({
      method: 'GET',
      key,
      // The bytes as they are stored: `fetch` would decompress them, and a range of them is not a gzip file.
      query: { 'response-content-encoding': 'identity' },
      headers: range ? { range: `bytes=${range.start}-${range.end - 1}` } : {},
    })
    if (reply.status === 404 && codeOf(reply) === 'NoSuchKey') throw new MissingObject(key)
    if (reply.status !== 200 && reply.status !== 206) throw refused(reply, 'read an object')
    const isPart = range !== undefined && reply.status === 206
    const body = range && !isPart ? reply.body.subarray(range.start, range.end) : reply.body
    if (range && body.length !== range.end - range.start) {
      throw new StoreError(`${place} sent ${body.length} of ${range.end - range.start} bytes`)
    }
    return body
  }

  async function remove(key: string): Promise<void> {
    const reply = await send({ method: 'DELETE', key })
    const isMissing = reply.status === 404 && codeOf(reply) === 'NoSuchKey'
    if (reply.status >= 300 && !isMissing) throw refused(reply, 'delete an object')
  }

  async function check(): Promise<void> {
    const reply = await send({ method: 'HEAD' })
    if (reply.status !== 200) throw refused(reply, 'show its bucket')
  }

  async function addressOf(key: string, { disposition, seconds }: Shown): Promise<string> {
    const url = urlOf({
      key,
      query: {
        'X-Amz-Expires': String(seconds),
        'response-content-type': 'text/plain; charset=utf-8',
        'response-content-disposition': disposition,
      },
    })
    const signer = new AwsV4Signer({
      ...signing,
      method: 'GET',
      url: url.href,
      datetime: datetime(),
      signQuery: true,
    })
    return (await signer.sign()).url.href
  }

  return {
    place,
    ...(access.logRedirects ? { addressOf } : {}),
    put,
    get,
    delete: remove,
    check,

    async examine() {
      await check()
      const key = `examination-${randomBytes(8).toString('hex')}`
      const body = Buffer.from('written by an examination, and deleted at once\n')
      await put(key, body)
      const read = await get(key)
      await remove(key)
      if (!read.equals(body)) throw new StoreError(`${place} returns other bytes than were written`)
      const { status, body: versioning } = await send({ method: 'GET', query: { versioning: '' } })
      const isVersioned =
        status === 200 && /<Status>\s*(?:Enabled|Suspended)\s*<\/Status>/.test(String(versioning))
      return isVersioned ? [versioned] : []
    },
  }
}

const versioned =
  'the bucket keeps versions, so that logs that were removed are only hidden: turn its versioning off, ' +
  'or have a lifecycle rule delete versions that are not current'

/** The address of the bucket, and what keys begin with. */
function bucketOf(place: string, given: string): { base: string; region: string; prefix: string } {
  const { host: bucket, pathname, searchParams } = new URL(place)
  const endpoint = new URL(searchParams.get('endpoint') ?? '')
  const prefix = pathname === '' || pathname === '/' ? '' : `${pathname.slice(1)}/`
  const amazon = /^s3[.-]([a-z\d-]+)\.amazonaws\.com$/.exec(endpoint.host)
  // A dot in a bucket's name does not fit the certificate of AWS; other stores seldom have a host per bucket.
  const isVirtual = amazon !== null && !bucket.includes('.')
  const base = isVirtual
    ? `${endpoint.protocol}//${bucket}.${endpoint.host}`
    : `${endpoint.origin}${endpoint.pathname.replace(/\/+$/, '')}/${bucket}`
  return { base, region: amazon?.[1] ?? given, prefix }
}

const isReply = (found: unknown): found is Reply =>
  typeof found === 'object' && found !== null && 'status' in found

const hashOf = (body: Buffer | string) => createHash('sha256').update(body).digest('hex')

/** The code of an error, which the body has as XML. */
const codeOf = ({ body, status }: Reply): string =>
  /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4096))?.[1] ??
  (status === 404 ? 'NoSuchBucket' : '')

/** Whether the same call may succeed in a moment. */
const isPassing = (reply: Reply) =>
  [429, 500, 502, 503, 504].includes(reply.status) ||
  (reply.status === 400 && codeOf(reply) === 'RequestTimeout')

const isSkewed = (reply: Reply) => reply.status === 403 && codeOf(reply) === 'RequestTimeTooSkewed'

/** What time it is at the store, in milliseconds. */
function clockOf({ headers, body }: Reply): number {
  const written = /<ServerTime>([^<]{1,40})<\/ServerTime>/.exec(String(body))?.[1]
  const time = Date.parse(written ?? headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}

function adviceFor(code: string, status: number): string {
  if (code === 'NoSuchBucket') return ': create the bucket, or correct OBJECT_STORE_URL'
  if (code === 'RequestTimeTooSkewed') return ': set the clock of this machine'
  if (status === 403 || status === 401) {
    return ': check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what that key can do'
  }
  return ''
}
