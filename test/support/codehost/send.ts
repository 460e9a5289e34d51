import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Reply } from './reply.ts'
import type { World } from './world.ts'

/** Sends a response; a truncated one promises more bytes than there come. */
export function sendReply(
  { now }: World,
  response: ServerResponse,
  reply: Reply,
  truncated = false,
): void {
  const { type, bytes } = render(reply)
  response.writeHead(reply.status, {
    date: now().toUTCString(),
    'cache-control': 'private, max-age=60, s-maxage=60',
    vary: 'Accept, Authorization, Cookie, X-GitHub-OTP',
    'x-github-media-type': 'github.v3; format=json',
    'x-github-request-id': randomUUID(),
    ...(reply.status === 200 ? { etag: etagOf(reply) } : {}),
    ...(bytes ? { 'content-type': type, 'content-length': String(bytes.length) } : {}),
    ...reply.headers,
  })
  if (!truncated || !bytes) return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

export function etagOf(reply: Reply): string {
  const { bytes = '' } = render(reply)
  return `W/"${createHash('sha256').update(bytes).digest('hex')}"`
}

function render({ body }: Reply): { type: string; bytes?: Buffer } {
  if (body === undefined) return { type: '' }
  if (Buffer.isBuffer(body)) return { type: 'application/octet-stream', bytes: body }
  const [text, type] =
    typeof body === 'string' ? [body, 'text/html'] : [JSON.stringify(body), 'application/json']
  return { type: `${type}; charset=utf-8`, bytes: Buffer.from(text) }
}
