import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { archiveOf } from '../../../src/runner/executors/docker/archive.ts'

export interface TestRegistry {
  /** Host and port, which begin the names of its images. */
  host: string
  /** The requests so far, as `GET /v2/…`. */
  calls: string[]
  close(): Promise<void>
}

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const types = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
}

interface RegistryOptions {
  /** The login without which it answers nothing, as `user:password`. */
  login?: string
  /** Whether it takes the login itself, or a token that its own server gives for the login. */
  takes?: 'login' | 'token'
  /** The tags of every image; it lists them in two pages. Only 1 can be pulled. */
  tags?: readonly string[]
}

/** A registry with every image in the version 1, of which it refuses pulls of `busy`. */
export async function startRegistry({
  login,
  takes = 'login',
  tags = ['1'],
}: RegistryOptions = {}): Promise<TestRegistry> {
  const root = { uid: 0, gid: 0 }
  const tar = await archiveOf([{ name: '/file', mode: 0o644, text: 'of the image\n', ...root }])
  const layer = gzipSync(tar)
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
      history: [{ created: '2026-01-01T00:00:00Z' }],
    }),
  )
  const described = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    size: bytes.length,
    digest: digestOf(bytes),
  })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: described(types.config, config),
      layers: [described(types.layer, layer)],
    }),
  )
  const blobs = new Map([layer, config, manifest].map((bytes) => [digestOf(bytes), bytes]))
  const calls: string[] = []

  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`
  const challenge = () =>
    takes === 'token'
      ? `Bearer realm="http://${host()}/token",service="tests"`
      : 'Basic realm="tests"'

  function list(url: string, response: ServerResponse): void {
    const isFirst = !url.includes('last=')
    const half = Math.ceil(tags.length / 2)
    const link = { link: '</v2/some/tags/list?last=x>; rel="next"' }
    response.writeHead(200, { 'content-type': 'application/json', ...(isFirst ? link : {}) })
    response.end(JSON.stringify({ tags: isFirst ? tags.slice(0, half) : tags.slice(half) }))
  }

  function refuse(response: ServerResponse, status: number, code: string): void {
    const message = code.toLowerCase().replaceAll('_', ' ')
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(status === 401 ? { 'www-authenticate': challenge() } : {}),
    })
    response.end(JSON.stringify({ errors: [{ code, message }] }))
  }

  function answer(
    { method = '', url = '', headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    calls.push(`${method} ${url}`)
    const [, image = '', kind = '', reference = ''] =
      /^\/v2\/(\w+)\/(manifests|blobs)\/(.+)$/.exec(url) ?? []
    const basic = login && `Basic ${Buffer.from(login).toString('base64')}`
    if (url.startsWith('/token?') && headers.authorization === basic) {
      return void response.end(JSON.stringify({ token: 'of-the-login' }))
    }
    const expected = takes === 'token' ? 'Bearer of-the-login' : basic
    if (expected && headers.authorization !== expected) return refuse(response, 401, 'UNAUTHORIZED')
    if (/^\/v2\/\w+\/tags\/list/.test(url)) return list(url, response)
    if (url === '/v2/') return void response.end('{}')
    if (image === 'busy') return refuse(response, 429, 'TOOMANYREQUESTS')
    const bytes = kind === 'manifests' && reference === '1' ? manifest : blobs.get(reference)
    if (bytes === undefined) return refuse(response, 404, 'MANIFEST_UNKNOWN')
    response.writeHead(200, {
      'content-type': kind === 'manifests' ? types.manifest : 'application/octet-stream',
      'content-length': bytes.length,
      'docker-content-digest': digestOf(bytes),
    })
    response.end(method === 'HEAD' ? undefined : bytes)
  }

  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: host(),
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
